// --- What changes the view

function press(id, on) { element(id).setAttribute("aria-pressed", String(on)); }

function showChoice() {
  element("of").value = view.of;
  // A range is of the rows alone, a span is of all that is shown.
  const hasRange = view.time && view.range;
  element("span-bar").hidden = !view.span && !hasRange;
  if (!view.span && !hasRange)
    return;
  const [from, to] = view.span ?? range(), length = (to - from) * unitSeconds;
  element("span-name").textContent = (view.span ? "" : "Shown: ") +
    `${moment(timeAt(from), length / 100)} to ${moment(timeAt(to), length / 100)}` +
    (view.span ? `: ${TICKS} ${profile.unit}${profile.rate ? ", " + seconds(TICKS) : ""}` : "") +
    (view.span && profile.times.in_one > 1 ? `; of ${profile.times.in_one} samples one is told` : "");
  element("span-zoom").hidden = !view.span || !view.time;
  element("span-close").hidden = !view.span;
  element("time-whole").hidden = !hasRange;
}

function show() {
  for (const [id, name] of [["flame", "shape"], ["icicle", "shape"], ["callees", "order"], ["callers", "order"]])
    press(id, view[name] === id);
  press("by-binary", view.colour === "binary");
  press("by-heat", view.colour === "heat");
  press("by-new", view.widths === "new");
  press("by-old", view.widths === "old");
  press("by-self", view.counts === "self");
  press("by-total", view.counts === "total");
  press("table-toggle", view.table);
  press("time-toggle", view.time);
  element("side").hidden = !view.table;
  timeBox.hidden = !timesByOwner || !view.time;
  element("focus-bar").hidden = view.fn < 0;
  if (view.fn >= 0)
    element("focus-name").textContent = `${nameOf(view.fn)}: who calls it above, what it calls below; ` +
      `${percent(shownSums.total[view.fn])} % in all, itself ${percent(shownSums.self[view.fn])} %`;
  showChoice();
  if (TICKS === 0)
    element("details").textContent = "There are no ticks here.";
  drawNow();
  keep();
}

function bringInSight(of, node) {
  const top = topOf(of, node, layOut(stage.clientWidth));
  if (top < stage.scrollTop || top + ROW > stage.scrollTop + stage.clientHeight)
    stage.scrollTop = top - stage.clientHeight / 2;
}

// A function of which callers are shown has those above it.  What is zoomed to is in
// sight, however far it is from the root.
function scrollToRoot() {
  if (view.fn >= 0) {
    stage.scrollTop = layOut(stage.clientWidth).callers * ROW - stage.clientHeight / 2;
  } else {
    stage.scrollTop = view.shape === "flame" ? stage.scrollHeight : 0;
    bringInSight(tree, view.zoom);
  }
  draw();
}

// Other samples, or another side, are to be shown.
function changeChoice() {
  choose();
  chooseTree();
  search();
  fillTable();
  show();
  scrollToRoot();
}
function setOf(of) { view.of = of; changeChoice(); }
function setWidths(widths) { view.widths = widths; changeChoice(); }
function setCounts(counts) { view.counts = counts; fillTable(); show(); }

// The row of NODE stays where it is, under the pointer, if it is in sight.
function zoom(node) {
  const y = topOf(tree, node, layOut(stage.clientWidth)) - stage.scrollTop;
  view.zoom = node;
  selected = node;
  selectedOf = tree;
  describe(tree, node);
  show();
  stage.scrollTop = topOf(tree, node, layOut(stage.clientWidth)) - y;
  bringInSight(tree, node);
  drawNow();
}

// Too narrow to be drawn.
const isTooNarrow = (of, node) =>
  of.total[node] * stage.clientWidth / of.total[of === above ? above.child[0] : view.zoom] < LEAST_WIDTH;

// Of callers those that are drawn, for nothing zooms to others.  The root of all, and
// a function in the tree of its callers, are no frames where callers are shown.
function canSelect(of, node) {
  const first = of === above ? 2 : view.fn >= 0 ? 1 : 0;
  return node >= first && of.total[node] > 0 && !(of === above && isTooNarrow(above, node));
}

// What lies outside of the zoom is brought into it, and what is too narrow to be
// drawn is zoomed to.
function bringIntoZoom(node) {
  const first = view.fn >= 0 ? 1 : 0;
  let at = node;
  while (at > first && at !== view.zoom)
    at = tree.parent[at];
  if (at !== view.zoom || isTooNarrow(tree, node))
    view.zoom = Math.max(tree.parent[node], first);
  if (isTooNarrow(tree, node))
    view.zoom = node;
}

function select(of, node) {
  if (!canSelect(of, node))
    return;
  selected = node;
  selectedOf = of;
  if (of === tree)
    bringIntoZoom(node);
  show();
  describe(of, node);
  bringInSight(of, node);
  draw();
}

function focusOn(fn) {
  view.fn = fn;
  // What the run at hand does not have is shown as the other has it.
  if (changes && fn >= 0 && shownSums.total[fn] === 0) {
    view.widths = view.widths === "new" ? "old" : "new";
    choose();
    search();
  }
  chooseTree();
  show();
  fillTable();
  scrollToRoot();
}

function back() {
  if (view.fn >= 0)
    focusOn(-1);
  else if (view.zoom > 0)
    zoom(0);
  else if (view.search)
    searchFor("");
  else if (view.span)
    setSpan(null);
  else if (view.of)
    setOf("");
  scrollToRoot();
}

function searchFor(text) {
  view.search = text;
  element("search").value = text;
  search();
  fillTable();
  show();
}

function reset() {
  Object.assign(view, { fn: -1, of: "", span: null, range: null, widths: "new" });
  searchFor("");
  changeChoice();
}

function setShape(shape) { view.shape = shape; show(); scrollToRoot(); }
function setOrder(order) {
  view.order = order;
  view.fn = -1;
  chooseTree();
  fillTable();
  show();
  scrollToRoot();
}
function setColour(colour) {
  view.colour = colour;
  describe(selectedOf, selected);
  show();
}
function toggle(name) { view[name] = !view[name]; show(); }

const clicks = {
  "flame": () => setShape("flame"),
  "icicle": () => setShape("icicle"),
  "callees": () => setOrder("callees"),
  "callers": () => setOrder("callers"),
  "by-binary": () => setColour("binary"),
  "by-heat": () => setColour("heat"),
  "by-new": () => setWidths("new"),
  "by-old": () => setWidths("old"),
  "by-self": () => setCounts("self"),
  "by-total": () => setCounts("total"),
  "reset": reset,
  "table-toggle": () => toggle("table"),
  "time-toggle": () => toggle("time"),
  "span-zoom": zoomToSpan,
  "span-close": () => setSpan(null),
  "time-whole": wholeTime,
  "focus-close": () => focusOn(-1),
  "theme": () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    describe(selectedOf, selected);
    draw();
  },
};

// The rows are made anew, and the one that was chosen, if it is there, keeps the keyboard.
function chooseRow(event) {
  const fn = event.target.closest("tr[data-fn]")?.dataset.fn;
  if (fn === undefined)
    return;
  focusOn(Number(fn));
  (element("rows").querySelector(`[data-fn="${fn}"]`) ?? stage).focus();
}

// The frame beside SELECTED in its row: the next, or, if BY is -1, the one before.
function beside(by) {
  const siblings = [];
  for (let c = selectedOf.child[selectedOf.parent[selected]]; c >= 0; c = selectedOf.sibling[c])
    if (selectedOf.total[c] > 0)
      siblings.push(c);
  return siblings[siblings.indexOf(selected) + by];
}

// The keys of the stage: away from the root, to it, and along a row.  Above a function
// of which callers are shown are these, and below the innermost of them is it again.
function move(key) {
  const of = selectedOf;
  if (selected < 0)
    return select(tree, view.zoom);
  if (key === "ArrowLeft" || key === "ArrowRight")
    return select(of, selected > 0 ? beside(key === "ArrowRight" ? 1 : -1) : -1);
  const away = of === above || (view.shape === "flame" && view.fn < 0) ? "ArrowUp" : "ArrowDown";
  const next = key === away ? of.child[selected] : of.parent[selected];
  if (of === above && next === above.child[0])
    return select(tree, 1);
  if (above && of === tree && next === 0)
    return select(above, above.child[above.child[0]]);
  select(of, next);
}

// What a click does with the frame.
function enter() {
  if (selectedOf === tree)
    zoom(selected);
  else if (above.fn[selected] >= 0)
    focusOn(above.fn[selected]);
}

const ifChanges = (act) => () => { if (changes) act(); };
const ifTimes = (act) => () => { if (timesByOwner) act(); };
const keys = {
  "/": () => element("search").focus(),
  "f": () => setShape(view.shape === "flame" ? "icicle" : "flame"),
  "i": () => setOrder(view.order === "callees" ? "callers" : "callees"),
  "c": () => setColour(view.colour === "binary" ? "heat" : "binary"),
  "t": () => toggle("table"),
  "n": nextMatch,
  "o": ifChanges(() => setWidths(view.widths === "new" ? "old" : "new")),
  "s": ifChanges(() => setCounts(view.counts === "self" ? "total" : "self")),
  "a": ifTimes(() => toggle("time")),
  "z": ifTimes(zoomToSpan),
  "w": ifTimes(wholeTime),
  "Escape": back,
};

function leaveSearch(event) {
  if (event.key !== "Escape" && event.key !== "Enter")
    return;
  if (event.key === "Escape")
    searchFor("");
  stage.focus();
  event.preventDefault();
}

function pressKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target === element("of"))
    return;
  if (event.target === element("search")) {
    leaveSearch(event);
    return;
  }
  if (event.target === stage && event.key.startsWith("Arrow"))
    move(event.key);
  else if (event.target === timeStage && (event.key === "ArrowLeft" || event.key === "ArrowRight"))
    moveSpan(event.key, event.shiftKey);
  else if (event.target === stage && event.key === "Enter" && selected >= 0)
    enter();
  else if (keys[event.key])
    keys[event.key]();
  else
    return;
  event.preventDefault();
}

function listen() {
  for (const [id, act] of Object.entries(clicks))
    element(id).addEventListener("click", act);
  canvas.addEventListener("mousemove", (event) => {
    const frame = frameAt(event);
    const node = frame && frame.of === tree ? frame.node : -1;
    if (frame)
      describe(frame.of, frame.node);
    canvas.style.cursor = frame ? "pointer" : "";
    if (node !== hovered) {
      hovered = node;
      draw();
    }
  });
  canvas.addEventListener("mouseleave", () => { hovered = -1; draw(); });
  // A double click is of the frame that was there at its first: what is drawn
  // changes between them.
  let clicked = null;
  canvas.addEventListener("click", (event) => {
    if (event.detail > 1)
      return;
    const frame = clicked = frameAt(event);
    if (!frame)
      return;
    if (frame.of === tree)
      zoom(frame.node);
    else if (frame.of.fn[frame.node] >= 0)
      focusOn(frame.of.fn[frame.node]);
  });
  canvas.addEventListener("dblclick", () => {
    if (clicked && clicked.of.fn[clicked.node] >= 0)
      focusOn(clicked.of.fn[clicked.node]);
  });
  stage.addEventListener("scroll", draw);
  window.addEventListener("resize", scrollToRoot);
  window.addEventListener("hashchange", () => { restore(); begin(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  element("rows").addEventListener("click", chooseRow);
  element("rows").addEventListener("keydown", (event) => {
    if (event.key === "Enter")
      chooseRow(event);
  });
  element("of").addEventListener("change", (event) => setOf(event.target.value));
  element("search").addEventListener("input", (event) => searchFor(event.target.value));
  element("regex").addEventListener("change", (event) => { view.regex = event.target.checked; searchFor(view.search); });
  document.addEventListener("keydown", pressKey);
  if (timesByOwner)
    listenToTime();
  listenToPrinter();
}

// --- Begin

function fillChoices() {
  const all = file.self.reduce((a, b) => a + b, 0);
  for (const [kind, label] of [["program", "Programs"], ["process", "Processes"], ["thread", "Threads"]]) {
    const group = document.createElement("optgroup");
    group.label = label;
    for (const choice of choices[kind]) {
      const option = document.createElement("option");
      option.value = choice.value;
      option.textContent = `${choiceName(choice)} ${percent(choice.ticks, all)} %`;
      group.append(option);
    }
    if (choices[kind].length > 1)
      element("of").append(group);
  }
}

function begin() {
  element("search").value = view.search;
  element("regex").checked = view.regex;
  search();
  fillTable();
  show();
  scrollToRoot();
}

document.title = profile.title + " \u2013 profrun";
element("title").textContent = element("title").title = profile.title;
element("subtitle").textContent = profile.subtitle;
document.body.classList.toggle("compares", Boolean(changes));
element("of-label").hidden = !sumsByOwner;
element("time-toggle").hidden = !timesByOwner;
element("colours").hidden = Boolean(changes);
for (const id of ["sides", "countings", "legend"])
  element(id).hidden = !changes;
fillChoices();
makeHeadings();
listen();
restore();
begin();
