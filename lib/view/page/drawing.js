// --- Colours: no two that matter differ by red and green alone.

const hues = { program: 32, library: 205, kernel: 285, vdso: 285, jit: 52, unknown: 0 };
const kindNames = { program: "programs", library: "libraries", kernel: "kernel", vdso: "vDSO", jit: "JIT code", unknown: "unknown" };
const saturationOf = (kind) => kind === "unknown" ? 0 : 62;
function hash(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++)
    h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return (h >>> 0) / 4294967296;
}
const binaryColours = profile.binaries.map(([name, , kind]) => {
  const spread = kind === "library" ? 70 : 14;
  const hue = (hues[kind] ?? 0) + (hash(name) - 0.5) * spread;
  return { hue, saturation: saturationOf(kind) };
});
// [colour, what has it]
function colourKey() {
  if (changes)
    return [];
  const base = isDark() ? 58 : 74;
  if (view.colour === "heat")
    return [[heatColour(0, base), "none of it itself"], [heatColour(1, base), "30 % or more itself"]];
  return Object.keys(hues).filter((kind) => profile.binaries.some(([, , one]) => one === kind))
    .map((kind) => [`hsl(${hues[kind]} ${saturationOf(kind)}% ${base}%)`, kindNames[kind]]);
}
const heatColour = (heat, base) => `hsl(${52 - 40 * heat} ${30 + 65 * heat}% ${base + 12 - 24 * heat}%)`;
const isDark = () => getComputedStyle(document.documentElement).getPropertyValue("--paper").trim() !== "#ffffff";
function changeColour(fn, style) {
  const { verdict, itself } = shownChange(fn);
  if (verdict === SAME)
    return style.same;
  return verdict === SLOWER ? itself ? style.slower : style.slowerBelow : itself ? style.faster : style.fasterBelow;
}
function colourOf(fn, style) {
  if (fn < 0)
    return style.dark ? "#7d838a" : "#d9dce0";
  if (changes)
    return changeColour(fn, style);
  const base = style.dark ? 58 : 74;
  if (view.colour === "heat") {
    const share = TICKS ? shownSums.self[fn] / TICKS : 0;
    return heatColour(Math.sqrt(Math.min(1, share / 0.3)), base);
  }
  const { hue, saturation } = binaryColours[functions[fn][1]];
  // Blue is darker than other colours are, too dark for names on a dark page.
  const shade = (hash(nameOf(fn)) - 0.5) * 10 + (style.dark && hue > 210 && hue < 300 ? 10 : 0);
  return `hsl(${hue} ${saturation}% ${base + shade}%)`;
}
function currentStyle() {
  const values = getComputedStyle(document.documentElement);
  const style = { dark: isDark() };
  for (const [name, property] of [
    ["ink", "--ink"], ["faint", "--faint"], ["line", "--line"], ["panel", "--panel"], ["accent", "--accent"],
    ["match", "--match"], ["matchInk", "--match-ink"], ["folded", "--folded"], ["frameInk", "--frame-ink"],
    ["same", "--same"], ["slower", "--slower"], ["slowerBelow", "--slower-below"],
    ["faster", "--faster"], ["fasterBelow", "--faster-below"]])
    style[name] = values.getPropertyValue(property).trim();
  return style;
}
const FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";

// --- Drawing.  The canvas is as large as what can be seen of it, and is drawn
// anew where it is scrolled to.

const stage = element("stage"), space = element("space"), canvas = element("canvas");
let context = canvas.getContext("2d"); // what is drawn on
const ROW = 19;
const LEAST_WIDTH = 0.7; // what is narrower is not drawn alone
let shown = []; // what was drawn: [tree, node, x, y, width], to be found by the pointer
let letterWidth = 7;

// A canvas of WIDTH and HEIGHT on this screen.
function fitCanvas(of, width, height) {
  const ratio = window.devicePixelRatio || 1;
  of.style.height = height + "px";
  of.width = Math.round(width * ratio);
  of.height = Math.round(height * ratio);
  of.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
}

// Deepest row below NODE that is wide enough to be seen.
function depthBelow(of, node, width) {
  const least = of.total[node] / Math.max(width, 1) / 2;
  let deepest = of.depth[node];
  const stack = [node];
  while (stack.length) {
    const at = stack.pop();
    if (of.depth[at] > deepest)
      deepest = of.depth[at];
    for (let c = of.child[at]; c >= 0; c = of.sibling[c])
      if (of.total[c] >= least)
        stack.push(c);
  }
  return deepest - of.depth[node];
}

// What there is to draw, of WIDTH, in rows; callers have rows of their own, above
// what is called and an empty one.
function layOut(width) {
  const ancestors = view.fn >= 0 ? 0 : tree.depth[view.zoom];
  const callers = above ? Math.max(depthBelow(above, 0, width) - 1, 0) : 0;
  const below = ancestors + 1 + depthBelow(tree, view.zoom, width);
  return { width, ancestors, callers, rows: callers + (callers > 0 ? 1 : 0) + below };
}

const fullHeight = (layout) => Math.max(layout.rows * ROW, stage.clientHeight);
// Where the row of NODE of a tree begins in what can be scrolled to.
function topOf(of, node, layout) {
  if (of === above)
    return (layout.callers + 1 - of.depth[node]) * ROW;
  if (above)
    return (layout.callers + (layout.callers > 0 ? 1 : 0) + tree.depth[node] - tree.depth[view.zoom]) * ROW;
  const row = tree.depth[node] * ROW;
  return view.shape === "flame" ? fullHeight(layout) - ROW - row : row;
}

// The ALPHA of the frame, not of its name, which is to be read.
function drawFrame(of, node, x, y, width, style, alpha = 1) {
  const fn = of.fn[node];
  const isMatch = matches && fn >= 0 && matches[fn];
  context.fillStyle = isMatch ? style.match : colourOf(fn, style);
  const opacity = context.globalAlpha = alpha * (matches && !isMatch ? 0.45 : 1);
  context.fillRect(x, y, Math.max(width - 0.6, 0.6), ROW - 1.5);
  context.globalAlpha = 1;
  if (width > 4 && of.isGuessed(node)) {
    context.setLineDash([2, 2]);
    context.strokeStyle = style.frameInk;
    context.strokeRect(x + 0.5, y + 0.5, width - 2, ROW - 3);
    context.setLineDash([]);
  }
  const isSelected = of === selectedOf && node === selected;
  if (isSelected || (of === tree && node === hovered)) {
    context.strokeStyle = style.ink;
    context.lineWidth = isSelected ? 2 : 1;
    context.strokeRect(x + 0.5, y + 0.5, Math.max(width - 1.6, 1), ROW - 2.5);
    context.lineWidth = 1;
  }
  const letters = Math.floor((width - 8) / letterWidth);
  if (letters >= 3) {
    const name = (changes && fn >= 0 ? markOf(fn) : "") + nameOf(fn);
    // A faint frame is as dark or light as the page.
    context.fillStyle = opacity < 1 ? style.ink : isMatch ? style.matchInk : style.frameInk;
    context.fillText(name.length <= letters ? name : name.slice(0, letters - 1) + "\u2026", x + 4, y + ROW - 6);
  }
  shown.push([of, node, x, y, width]);
}

// Draws what is below ROOT in rows from Y on, each STEP further; what is too
// narrow to be seen is drawn together, in grey.
function drawBelow(of, root, y0, step, width, height, style) {
  const scale = width / of.total[root];
  const stack = [root];
  while (stack.length) {
    const node = stack.pop();
    const y = y0 + (of.depth[node] - of.depth[root]) * step;
    const x = (of.at[node] - of.at[root]) * scale;
    const inSight = y > -ROW && y < height;
    if (inSight)
      drawFrame(of, node, x, y, of.total[node] * scale, style);
    let folded = 0, foldedAt = 0;
    for (let c = of.child[node]; c >= 0; c = of.sibling[c]) {
      if (of.total[c] * scale >= LEAST_WIDTH) {
        stack.push(c);
      } else {
        if (folded === 0)
          foldedAt = of.at[c];
        folded += of.total[c];
      }
    }
    const yNext = y + step;
    if (folded * scale >= 0.5 && yNext > -ROW && yNext < height) {
      context.fillStyle = style.folded;
      context.fillRect((foldedAt - of.at[root]) * scale, yNext, folded * scale, ROW - 1.5);
    }
  }
}

let waiting = false;
function draw() {
  if (!waiting) {
    waiting = true;
    requestAnimationFrame(() => { waiting = false; drawNow(); });
  }
}

function drawNow() {
  const style = currentStyle();
  if (timesByOwner)
    drawTime(style);
  const layout = layOut(stage.clientWidth), height = stage.clientHeight;
  const full = fullHeight(layout);
  space.style.height = full + "px";
  fitCanvas(canvas, layout.width, height);
  drawFrames(layout, stage.scrollTop, height, full, style);
}

// HEIGHT of LAYOUT, from SCROLLED on, where it is FULL high.
function drawFrames(layout, scrolled, height, full, style) {
  context.clearRect(0, 0, layout.width, height);
  context.font = "12px " + FONT;
  letterWidth = context.measureText("mmmmmmmmmm").width / 10;
  shown = [];
  if (tree.total[view.zoom] === 0) {
    context.fillStyle = style.faint;
    context.fillText(changes ? "Not in the run whose widths are shown; o shows those of the other." : "No ticks.", 14, ROW - 6);
    return;
  }
  if (above) {
    // Who calls it above, what it calls below.
    const middle = layout.callers * ROW - scrolled;
    if (layout.callers > 0)
      drawCallers(layout.width, height, middle, style);
    drawBelow(tree, view.zoom, middle + (layout.callers > 0 ? ROW : 0), ROW, layout.width, height, style);
    return;
  }
  const up = view.shape === "flame";
  const step = up ? -ROW : ROW;
  const first = (up ? full - ROW : 0) - scrolled;
  const path = [];
  for (let at = view.zoom; at > 0;) {
    at = tree.parent[at];
    path.unshift(at);
  }
  path.forEach((node, row) => drawFrame(tree, node, 0, first + row * step, layout.width, style, 0.6));
  drawBelow(tree, view.zoom, first + path.length * step, step, layout.width, height, style);
}

// ABOVE's root has one child, the function itself, which is drawn with what it
// calls.
function drawCallers(canvasWidth, height, middle, style) {
  const own = above.child[0];
  if (own < 0 || above.total[own] === 0)
    return;
  const scale = canvasWidth / above.total[own];
  const stack = [];
  for (let c = above.child[own]; c >= 0; c = above.sibling[c])
    stack.push(c);
  while (stack.length) {
    const node = stack.pop();
    const width = above.total[node] * scale;
    if (width < LEAST_WIDTH)
      continue;
    const y = middle - (above.depth[node] - 1) * ROW;
    if (y > -ROW && y < height)
      drawFrame(above, node, (above.at[node] - above.at[own]) * scale, y, width, style);
    for (let c = above.child[node]; c >= 0; c = above.sibling[c])
      stack.push(c);
  }
}
