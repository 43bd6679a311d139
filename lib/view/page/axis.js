// --- What ran when: a row for each owner, as high as it used a processor or, by the
// wall clock, was seen at all.  A drag chooses a span of time, of which the flame
// graph and the table are then.

const LANE = 18, SCALE = 20;
const timeBox = element("time"), timeStage = element("time-stage"), timeCanvas = element("time-canvas");
let timeContext = timeCanvas.getContext("2d"); // what is drawn on
const UNITS = profile.times ? profile.times.units : 0;
// A tick, in units of time: a sample stands for what was before it.
const TICK = profile.rate && unitSeconds ? 1 / profile.rate / unitSeconds : 1;
const lanes = owners.filter(({ number }) => timesByOwner && timesByOwner[number].times.length > 0)
  .sort((a, b) => a.begin - b.begin || a.pid - b.pid || a.number - b.number);
let matchesNode = null; // nodes of the file that a search has found, or what is below them
let dragged = null;     // units at which a drag began and is now

const gutter = (width = timeStage.clientWidth) => Math.min(170, Math.round(width * 0.24));
const laneWidth = (width = timeStage.clientWidth) => Math.max(1, Math.floor(width - gutter(width) - 8));
const range = () => view.range ?? [0, UNITS];
const unitAt = (x) => {
  const [from, to] = range();
  const share = (x - gutter()) / laneWidth();
  return Math.max(from, Math.min(to, from + share * (to - from)));
};
const laneColour = (fn, style) => fn < 0 ? style.folded : colourOf(fn, style);

// How much of each of WIDTH columns OWNER was seen in, in which function for most
// of it, and in how much of that a search has found something.
function columnsOf(owner, width) {
  const { times, nodes, ticks } = timesByOwner[owner];
  const [from, to] = range(), scale = width / (to - from);
  const seen = new Float64Array(width), found = new Float64Array(width);
  const most = new Int32Array(width).fill(-1), votes = new Float64Array(width);
  for (let i = 0; i < times.length; i++) {
    const last = (times[i] + 1 - from) * scale, first = last - Math.max(1, ticks[i] * TICK) * scale;
    if (last <= 0 || first >= width)
      continue;
    const fn = file.fn[nodes[i]];
    for (let x = Math.max(0, Math.floor(first)); x < Math.min(width, last); x++) {
      const part = Math.min(last, x + 1) - Math.max(first, x);
      seen[x] += part;
      if (matchesNode && matchesNode[nodes[i]])
        found[x] += part;
      // Of the function that has the majority, if one has.
      if (most[x] === fn)
        votes[x] += part;
      else if ((votes[x] -= part) < 0) {
        most[x] = fn;
        votes[x] = -votes[x];
      }
    }
  }
  return { seen, found, most };
}

// The same, kept until something else is shown.
let kept = { of: "", columns: new Map() };
function keptColumnsOf(owner, width) {
  const of = [range(), width, view.search, view.regex].join();
  if (kept.of !== of)
    kept = { of, columns: new Map() };
  if (!kept.columns.has(owner))
    kept.columns.set(owner, columnsOf(owner, width));
  return kept.columns.get(owner);
}

function drawLane(owner, y, left, width, style) {
  const { seen, found, most } = keptColumnsOf(owner.number, width);
  const [from, to] = range(), scale = width / (to - from);
  const begin = Math.max(0, (owner.begin - from) * scale), end = Math.min(width, (owner.end - from) * scale);
  timeContext.fillStyle = style.panel;
  if (end > begin)
    timeContext.fillRect(left + begin, y, end - begin, LANE - 2);
  const bar = (x, part, colour) => {
    const height = Math.max(2, Math.min(1, part) * (LANE - 3));
    timeContext.fillStyle = colour;
    timeContext.fillRect(left + x, y + LANE - 2 - height, 1, height);
  };
  timeContext.globalAlpha = matchesNode ? 0.4 : 1;
  for (let x = 0; x < width; x++)
    if (seen[x] > 0)
      bar(x, seen[x], laneColour(most[x], style));
  timeContext.globalAlpha = 1;
  for (let x = 0; matchesNode && x < width; x++)
    if (found[x] > 0)
      bar(x, found[x], style.match);
}

function drawLaneName(owner, y, left, style) {
  const of = findChoice(view.of);
  const isOut = of && !of.owners.has(owner.number);
  const letters = Math.floor((left - 12) / letterWidth);
  const name = ownerName(owner);
  timeContext.fillStyle = isOut ? style.faint : style.ink;
  timeContext.fillText(name.length <= letters ? name : name.slice(0, Math.max(1, letters - 1)) + "\u2026", 8, y + LANE - 6);
}

// A step of 1, 2 or 5 seconds, or a power of ten of them, for N marks at most.
function stepOf(span_s, n) {
  const power = 10 ** Math.floor(Math.log10(span_s / n));
  return [1, 2, 5, 10].map((k) => k * power).find((step) => span_s / step <= n) ?? span_s;
}

function drawScale(left, width, y, height, style) {
  const [from, to] = range(), scale = width / (to - from);
  const step = stepOf((to - from) * unitSeconds, Math.max(2, width / 110));
  timeContext.fillStyle = style.faint;
  for (let k = Math.ceil(timeAt(from) / step); k * step <= timeAt(to); k++) {
    const x = left + ((k * step - timeAt(0)) / unitSeconds - from) * scale;
    const text = moment(k * step, step);
    timeContext.fillStyle = style.line;
    timeContext.fillRect(x, y, 1, height);
    timeContext.fillStyle = style.faint;
    if (x + 4 + timeContext.measureText(text).width < left + width)
      timeContext.fillText(text, x + 4, y + 13);
  }
}

function drawSpan(left, width, height, style) {
  const span = dragged ? [Math.min(...dragged), Math.max(...dragged)] : view.span;
  if (!span)
    return;
  const [from, to] = range(), scale = width / (to - from);
  const clip = (unit) => left + Math.max(0, Math.min(width, (unit - from) * scale));
  const first = clip(span[0]), last = clip(span[1]);
  timeContext.globalAlpha = 0.16;
  timeContext.fillStyle = style.accent;
  timeContext.fillRect(first, 0, last - first, height);
  timeContext.globalAlpha = 1;
  timeContext.fillRect(first, 0, 1.5, height);
  timeContext.fillRect(last - 1.5, 0, 1.5, height);
}

function drawTime(style) {
  if (timeBox.hidden)
    return;
  const width = timeStage.clientWidth, height = timeStage.clientHeight;
  element("time-space").style.height = SCALE + lanes.length * LANE + 4 + "px";
  fitCanvas(timeCanvas, width, height);
  drawLanes(width, timeStage.scrollTop, height, style);
}

// HEIGHT of the rows, from SCROLLED on, below the scale.
function drawLanes(width, scrolled, height, style) {
  const left = gutter(width), inner = laneWidth(width);
  timeContext.clearRect(0, 0, width, height);
  timeContext.font = "11px " + FONT;
  letterWidth = timeContext.measureText("mmmmmmmmmm").width / 10;
  lanes.forEach((owner, row) => {
    const y = SCALE + row * LANE - scrolled;
    if (y < SCALE - LANE || y > height)
      return;
    drawLane(owner, y, left, inner, style);
    drawLaneName(owner, y, left, style);
  });
  timeContext.clearRect(0, 0, width, SCALE);
  drawScale(left, inner, 0, SCALE, style);
  drawSpan(left, inner, height, style);
}

// --- What is done with it

const laneAt = (event) => {
  const box = timeCanvas.getBoundingClientRect();
  const y = event.clientY - box.top;
  return y < SCALE ? null : lanes[Math.floor((y - SCALE + timeStage.scrollTop) / LANE)] ?? null;
};
const eventUnit = (event) => unitAt(event.clientX - timeCanvas.getBoundingClientRect().left);

// What LANE did around UNIT, within the column of the pointer.
function describeMoment(lane, unit) {
  const [from, to] = range();
  const half = (to - from) / laneWidth() / 2 + TICK / 2;
  const byFn = new Map();
  const { times, nodes, ticks } = timesByOwner[lane.number];
  let seen = 0;
  for (let i = 0; i < times.length; i++) {
    const part = Math.min(times[i] + 1, unit + half) - Math.max(times[i] + 1 - ticks[i] * TICK, unit - half);
    if (part <= 0)
      continue;
    seen += part;
    const fn = file.fn[nodes[i]];
    byFn.set(fn, (byFn.get(fn) ?? 0) + part);
  }
  const best = [...byFn].sort((a, b) => b[1] - a[1])[0];
  const details = element("details");
  const bold = document.createElement("b"), rest = document.createElement("span");
  details.textContent = "";
  bold.textContent = moment(timeAt(unit), (to - from) * unitSeconds / 1000);
  rest.textContent = ` ${lane.pid ? lane.pid + " " + lane.program + ", " : ""}${lane.tid ? "thread " : ""}${ownerName(lane)}: ` +
    (best ? `${Math.min(100, 100 * seen / (2 * half)).toFixed(0)} % of ${profile.wall ? "the time" : "a processor"}, mostly ${nameOf(best[0])}` : "no sample");
  details.append(bold, rest);
}

function setSpan(span) {
  const least = Math.max(1, TICK);
  if (span) {
    let [from, to] = span;
    from = Math.max(0, Math.floor(from));
    to = Math.min(UNITS, Math.ceil(Math.max(to, from + least)));
    span = from < to ? [from, to] : null;
  }
  view.span = span;
  changeChoice();
}
function setRange(from, to) {
  const least = Math.min(UNITS, 20);
  from = Math.max(0, Math.min(from, UNITS - least));
  to = Math.min(UNITS, Math.max(to, from + least));
  view.range = from <= 0 && to >= UNITS ? null : [Math.floor(from), Math.ceil(to)];
  show();
}
const zoomToSpan = () => { if (view.span) setRange(...view.span); };
const wholeTime = () => setRange(0, UNITS);

// The keys of the axis: the arrows move a span, as far as there is time, with Shift its end.
function moveSpan(key, isShifted) {
  const [from, to] = range(), step = Math.max(1, Math.round((to - from) / 40)) * (key === "ArrowLeft" ? -1 : 1);
  const span = view.span ?? [from, from + (to - from) / 10];
  if (!view.span)
    setSpan(span);
  else if (isShifted)
    setSpan([span[0], Math.max(span[0] + Math.abs(step), span[1] + step)]);
  else
    setSpan(span.map((unit) => unit + Math.max(-span[0], Math.min(UNITS - span[1], step))));
}

function listenToTime() {
  let begin = null;
  timeCanvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0)
      return;
    begin = { x: event.clientX, unit: eventUnit(event) };
    timeCanvas.setPointerCapture(event.pointerId);
  });
  timeCanvas.addEventListener("pointermove", (event) => {
    const lane = laneAt(event);
    if (lane && !dragged)
      describeMoment(lane, eventUnit(event));
    if (!begin || (!dragged && Math.abs(event.clientX - begin.x) < 4))
      return;
    dragged = [begin.unit, eventUnit(event)];
    draw();
  });
  timeCanvas.addEventListener("pointerup", (event) => {
    const span = dragged, lane = laneAt(event);
    const wasClick = begin && !dragged;
    begin = dragged = null;
    if (span)
      setSpan([Math.min(...span), Math.max(...span)]);
    else if (wasClick && lane && sumsByOwner && owners.length > 1)
      setOf(view.of === `thread-${lane.number}` ? "" : `thread-${lane.number}`);
  });
  timeCanvas.addEventListener("pointercancel", () => { begin = dragged = null; draw(); });
  timeCanvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey)
      return;
    event.preventDefault();
    const [from, to] = range(), unit = eventUnit(event), factor = Math.exp(event.deltaY / 200);
    setRange(unit - (unit - from) * factor, unit + (to - unit) * factor);
  }, { passive: false });
  timeStage.addEventListener("scroll", draw);
}
