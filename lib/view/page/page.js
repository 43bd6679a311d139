// The page of a profile: a flame graph, a table of functions, and who calls
// whom.  All that it shows is in the JSON above; nothing is loaded.
"use strict";
(() => {
const profile = JSON.parse(document.getElementById("profile").textContent);
// [name, binary, self, total, limits of self's share, the whole name if it is another]
const functions = profile.functions;
const element = (id) => document.getElementById(id);

// --- Trees.  Nodes are numbers; a parent comes before its children.

class Tree {
  // PARENT, FN and SELF are arrays, one entry a node; node 0 is the root.
  constructor(parent, fn, self, guessed) {
    const n = parent.length;
    this.n = n;
    this.parent = parent;
    this.fn = fn;
    this.self = self;
    this.guessed = guessed;
    this.total = Float64Array.from(self);
    this.depth = new Int32Array(n);
    this.child = new Int32Array(n).fill(-1);
    this.sibling = new Int32Array(n).fill(-1);
    this.at = new Float64Array(n); // where it begins, in ticks
    for (let i = n - 1; i > 0; i--)
      this.total[parent[i]] += this.total[i];
    for (let i = n - 1; i > 0; i--) {
      this.sibling[i] = this.child[parent[i]];
      this.child[parent[i]] = i;
    }
    const filled = new Float64Array(n);
    this.maxDepth = 0;
    for (let i = 1; i < n; i++) {
      const p = parent[i];
      this.depth[i] = this.depth[p] + 1;
      this.at[i] = this.at[p] + filled[p];
      filled[p] += this.total[i];
      if (this.depth[i] > this.maxDepth)
        this.maxDepth = this.depth[i];
    }
  }
}

// The tree of the file: parents are written as distances.
function readTree() {
  const nodes = profile.nodes;
  const n = nodes.up.length;
  const parent = new Int32Array(n), guessed = new Uint8Array(n);
  for (let i = 1; i < n; i++)
    parent[i] = i - nodes.up[i];
  for (const i of nodes.guessed)
    guessed[i] = 1;
  return new Tree(parent, Int32Array.from(nodes.fn), Float64Array.from(nodes.self), guessed);
}

// Gathers paths of functions, each with its ticks, into a tree.  Which child of a
// node has which function is looked up in a table of node numbers, by a hash of
// both: there are millions of steps.
class Gatherer {
  constructor() {
    this.n = 1;
    this.parent = new Int32Array(1024);
    this.fn = new Int32Array(1024).fill(-1);
    this.self = new Float64Array(1024);
    this.slots = new Int32Array(4096); // a node, or 0: free
  }
  slotOf(node, fn) {
    const mask = this.slots.length - 1;
    let slot = (Math.imul(node, 0x9e3779b1) ^ Math.imul(fn + 1, 0x85ebca6b)) >>> 7 & mask;
    for (let at; (at = this.slots[slot]) !== 0; slot = slot + 1 & mask)
      if (this.parent[at] === node && this.fn[at] === fn)
        break;
    return slot;
  }
  grow() {
    for (const name of ["parent", "fn", "self"]) {
      const old = this[name];
      this[name] = new old.constructor(2 * old.length);
      this[name].set(old);
    }
    this.slots = new Int32Array(2 * this.slots.length);
    for (let i = 1; i < this.n; i++)
      this.slots[this.slotOf(this.parent[i], this.fn[i])] = i;
  }
  go(node, fn) {
    const slot = this.slotOf(node, fn);
    if (this.slots[slot] !== 0)
      return this.slots[slot];
    const next = this.n++;
    this.parent[next] = node;
    this.fn[next] = fn;
    this.slots[slot] = next;
    if (this.n === this.parent.length)
      this.grow();
    return next;
  }
  // Children with more ticks come first, as in the file.
  tree() {
    const n = this.n;
    const plain = new Tree(this.parent.subarray(0, n), this.fn, this.self.subarray(0, n), null);
    const order = new Int32Array(n), place = new Int32Array(n);
    const byTotal = (a, b) => plain.total[b] - plain.total[a] || plain.fn[a] - plain.fn[b];
    let put = 1;
    for (let k = 0; k < n; k++) {
      const first = put;
      for (let c = plain.child[order[k]]; c >= 0; c = plain.sibling[c])
        order[put++] = c;
      if (put - first > 1)
        order.subarray(first, put).sort(byTotal);
      for (let i = first; i < put; i++)
        place[order[i]] = i;
    }
    return new Tree(order.map((node) => place[plain.parent[node]]), order.map((node) => plain.fn[node]),
                    Float64Array.from(order, (node) => plain.self[node]), new Uint8Array(n));
  }
}

const whole = readTree();
const TICKS = whole.total[0];

// From where time is spent to who called it.
let invertedTree = null;
function inverted() {
  if (invertedTree)
    return invertedTree;
  const gatherer = new Gatherer();
  for (let i = 1; i < whole.n; i++) {
    if (whole.self[i] === 0)
      continue;
    let node = 0;
    for (let at = i; at > 0; at = whole.parent[at])
      node = gatherer.go(node, whole.fn[at]);
    gatherer.self[node] += whole.self[i];
  }
  return invertedTree = gatherer.tree();
}

// The nodes of FN that have no other of FN above them: each sample is in one at
// most.
function outermost(fn) {
  const inside = new Uint8Array(whole.n), found = [];
  for (let i = 1; i < whole.n; i++) {
    inside[i] = inside[whole.parent[i]];
    if (whole.fn[i] === fn && !inside[i]) {
      inside[i] = 1;
      found.push(i);
    }
  }
  return { inside, found };
}

// What FN calls, in all its contexts.
function calleesOf(fn) {
  const gatherer = new Gatherer(), { inside, found } = outermost(fn);
  const place = new Int32Array(whole.n);
  for (const i of found)
    place[i] = gatherer.go(0, fn);
  for (let i = 1; i < whole.n; i++) {
    if (!inside[i])
      continue;
    if (!place[i])
      place[i] = gatherer.go(place[whole.parent[i]], whole.fn[i]);
    gatherer.self[place[i]] += whole.self[i];
  }
  return gatherer.tree();
}

// Who calls FN.
function callersOf(fn) {
  const gatherer = new Gatherer();
  for (const i of outermost(fn).found) {
    let node = 0;
    for (let at = i; at > 0; at = whole.parent[at])
      node = gatherer.go(node, whole.fn[at]);
    gatherer.self[node] += whole.total[i];
  }
  return gatherer.tree();
}

// --- Numbers and names

const percent = (ticks) => (100 * ticks / TICKS).toFixed(2);
const nameOf = (fn) => fn < 0 ? "all" : functions[fn][0];
const binaryOf = (fn) => fn < 0 ? "" : profile.binaries[functions[fn][1]][0];
const seconds = (ticks) => profile.rate ? (ticks / profile.rate).toFixed(2) + " s" : "";
const limits = (lo, hi) => `${(100 * lo).toFixed(1)}..${(100 * hi).toFixed(1)}`;

// Wilson's interval of a share, as in the tables of profrun.
function interval(ticks) {
  const n = TICKS / profile.weight, k = ticks / profile.weight, z = 1.959964;
  const end = (x, sign) =>
    (x + z * z / 2 + sign * z * Math.sqrt(x * (n - x) / n + z * z / 4)) / (n + z * z);
  return [k > 0.5 ? end(k - 0.5, -1) : 0, k + 0.5 < n ? end(k + 0.5, 1) : 1];
}

// --- Colours: no two that matter differ by red and green alone.

const hues = { program: 32, library: 205, kernel: 285, vdso: 285, jit: 52, unknown: 0 };
function hash(text) {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++)
    h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return (h >>> 0) / 4294967296;
}
const binaryColours = profile.binaries.map(([name, , kind]) => {
  const spread = kind === "library" ? 70 : 14;
  const hue = (hues[kind] ?? 0) + (hash(name) - 0.5) * spread;
  return { hue, saturation: kind === "unknown" ? 0 : 62 };
});
const isDark = () => getComputedStyle(document.documentElement).getPropertyValue("--paper").trim() !== "#ffffff";
function colourOf(fn, dark) {
  if (fn < 0)
    return dark ? "#7d838a" : "#d9dce0";
  const base = dark ? 58 : 74;
  if (view.colour === "heat") {
    const heat = Math.sqrt(Math.min(1, functions[fn][2] / TICKS / 0.3));
    return `hsl(${52 - 40 * heat} ${30 + 65 * heat}% ${base + 12 - 24 * heat}%)`;
  }
  const { hue, saturation } = binaryColours[functions[fn][1]];
  const shade = (hash(nameOf(fn)) - 0.5) * 10;
  return `hsl(${hue} ${saturation}% ${base + shade}%)`;
}

// --- The view, which the address of the page keeps

const view = { shape: "flame", order: "callees", colour: "binary", zoom: 0, fn: -1,
               search: "", regex: false, table: true, sort: "self", up: false };
let tree = whole;     // that is shown below, or alone
let above = null;     // callers of view.fn, upwards
let selected = -1;    // node of TREE under the keyboard
let hovered = -1;
let matches = null;   // by function
const ROW = 19;

function keep() {
  const words = [];
  const put = (name, value, usual) => {
    if (value !== usual)
      words.push(name + "=" + encodeURIComponent(value));
  };
  put("shape", view.shape, "flame");
  put("order", view.order, "callees");
  put("colour", view.colour, "binary");
  put("zoom", view.zoom, 0);
  put("fn", view.fn, -1);
  put("search", view.search, "");
  put("regex", view.regex ? 1 : 0, 0);
  put("table", view.table ? 1 : 0, 1);
  history.replaceState(null, "", words.length ? "#" + words.join("&") : location.pathname + location.search);
}

function restore() {
  const words = new URLSearchParams(location.hash.slice(1));
  const oneOf = (name, choices) => choices.includes(words.get(name)) ? words.get(name) : choices[0];
  view.shape = oneOf("shape", ["flame", "icicle"]);
  view.order = oneOf("order", ["callees", "callers"]);
  view.colour = oneOf("colour", ["binary", "heat"]);
  view.search = words.get("search") ?? "";
  view.regex = words.get("regex") === "1";
  view.table = words.get("table") !== "0";
  const fn = Number(words.get("fn") ?? -1);
  view.fn = Number.isInteger(fn) && fn >= 0 && fn < functions.length ? fn : -1;
  chooseTree();
  const zoom = Number(words.get("zoom") ?? 0);
  view.zoom = Number.isInteger(zoom) && zoom > 0 && zoom < tree.n ? zoom : 0;
}

function chooseTree() {
  above = null;
  selected = hovered = -1;
  view.zoom = 0;
  describe(null, -1);
  if (view.fn >= 0) {
    tree = calleesOf(view.fn);
    above = callersOf(view.fn);
    // FN itself, without the root above it.
    view.zoom = tree.n > 1 ? 1 : 0;
  } else {
    tree = view.order === "callers" ? inverted() : whole;
  }
}

// --- Drawing.  The canvas is as large as what can be seen of it, and is drawn
// anew where it is scrolled to.

const stage = element("stage"), space = element("space"), canvas = element("canvas");
const context = canvas.getContext("2d");
let shown = []; // what was drawn: [tree, node, x, y, width], to be found by the pointer
let letterWidth = 7;

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

function size() {
  const width = stage.clientWidth, height = stage.clientHeight;
  const ancestors = view.fn >= 0 ? 0 : tree.depth[view.zoom];
  const rows = ancestors + 1 + depthBelow(tree, view.zoom, width);
  const rowsAbove = above ? depthBelow(above, 0, width) - 1 : 0;
  const needed = (rows + Math.max(rowsAbove, 0)) * ROW + (above ? 14 : 0);
  space.style.height = Math.max(needed, height) + "px";
  const ratio = window.devicePixelRatio || 1;
  canvas.style.height = height + "px";
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return { width, height, rows, rowsAbove: Math.max(rowsAbove, 0), ancestors, full: Math.max(needed, height) };
}

function drawFrame(of, node, x, y, width, style) {
  const fn = of.fn[node];
  const isMatch = matches && fn >= 0 && matches[fn];
  context.fillStyle = isMatch ? style.match : colourOf(fn, style.dark);
  context.globalAlpha = matches && !isMatch ? 0.45 : 1;
  context.fillRect(x, y, Math.max(width - 0.6, 0.6), ROW - 1.5);
  context.globalAlpha = 1;
  if (of.guessed[node] && width > 4) {
    context.setLineDash([2, 2]);
    context.strokeStyle = style.frameInk;
    context.strokeRect(x + 0.5, y + 0.5, width - 2, ROW - 3);
    context.setLineDash([]);
  }
  if ((of === tree && node === selected) || (of === tree && node === hovered)) {
    context.strokeStyle = style.ink;
    context.lineWidth = node === selected ? 2 : 1;
    context.strokeRect(x + 0.5, y + 0.5, Math.max(width - 1.6, 1), ROW - 2.5);
    context.lineWidth = 1;
  }
  const letters = Math.floor((width - 8) / letterWidth);
  if (letters >= 3) {
    const name = nameOf(fn);
    context.fillStyle = isMatch ? "#ffffff" : style.frameInk;
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
      if (of.total[c] * scale >= 0.7) {
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
  const styles = getComputedStyle(document.documentElement);
  const style = { dark: isDark(), ink: styles.getPropertyValue("--ink"), match: styles.getPropertyValue("--match"),
                  folded: styles.getPropertyValue("--folded"), frameInk: styles.getPropertyValue("--frame-ink") };
  const layout = size();
  const scrolled = stage.scrollTop;
  context.clearRect(0, 0, layout.width, layout.height);
  context.font = "12px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
  letterWidth = context.measureText("mmmmmmmmmm").width / 10;
  shown = [];
  if (TICKS === 0)
    return;
  if (above) {
    // Who calls it above, what it calls below.
    const middle = layout.rowsAbove * ROW - scrolled;
    if (layout.rowsAbove > 0)
      drawCallers(layout, middle, style);
    drawBelow(tree, view.zoom, middle + 7, ROW, layout.width, layout.height, style);
    return;
  }
  const up = view.shape === "flame";
  const step = up ? -ROW : ROW;
  const first = (up ? layout.full - ROW : 0) - scrolled;
  const path = [];
  for (let at = view.zoom; at > 0;) {
    at = tree.parent[at];
    path.unshift(at);
  }
  path.forEach((node, row) => {
    context.globalAlpha = 0.6;
    drawFrame(tree, node, 0, first + row * step, layout.width, style);
    context.globalAlpha = 1;
  });
  drawBelow(tree, view.zoom, first + path.length * step, step, layout.width, layout.height, style);
}

// ABOVE's root has one child, the function itself, which is drawn with what it
// calls.
function drawCallers(layout, middle, style) {
  const own = above.child[0];
  const scale = layout.width / above.total[own];
  const stack = [];
  for (let c = above.child[own]; c >= 0; c = above.sibling[c])
    stack.push(c);
  while (stack.length) {
    const node = stack.pop();
    const width = above.total[node] * scale;
    if (width < 0.7)
      continue;
    const y = middle - (above.depth[node] - 1) * ROW;
    if (y > -ROW && y < layout.height)
      drawFrame(above, node, (above.at[node] - above.at[own]) * scale, y, width, style);
    for (let c = above.child[node]; c >= 0; c = above.sibling[c])
      stack.push(c);
  }
}

// --- What is under the pointer

function frameAt(event) {
  const box = canvas.getBoundingClientRect();
  const x = event.clientX - box.left, y = event.clientY - box.top;
  for (let i = shown.length - 1; i >= 0; i--) {
    const [of, node, left, top, width] = shown[i];
    if (y >= top && y < top + ROW && x >= left && x < left + width)
      return { of, node };
  }
  return null;
}

function describe(of, node) {
  const details = element("details");
  details.textContent = "";
  if (!of || node < 0)
    return;
  const fn = of.fn[node], ticks = of.total[node];
  const [lo, hi] = interval(ticks);
  const bold = document.createElement("b"), rest = document.createElement("span");
  bold.textContent = fn >= 0 && functions[fn][6] || nameOf(fn);
  const where = fn >= 0 ? ` in ${profile.binaries[functions[fn][1]][1] || binaryOf(fn)}` : "";
  const own = of.self[node] && of === whole ? `, itself ${percent(of.self[node])} %` : "";
  const guess = of.guessed[node] ? "; found without unwind information" : "";
  rest.textContent = `${where}: ${percent(ticks)} % (${limits(lo, hi)} %), ${ticks} ${profile.unit}` +
    `${profile.rate ? ", " + seconds(ticks) : ""}${own}${guess}`;
  details.append(bold, rest);
}

// --- Search

function compileSearch() {
  element("search").classList.remove("wrong");
  if (!view.search)
    return null;
  if (!view.regex) {
    const text = view.search.toLowerCase();
    return (name) => name.toLowerCase().includes(text);
  }
  try {
    const pattern = new RegExp(view.search, "i");
    return (name) => pattern.test(name);
  } catch {
    element("search").classList.add("wrong");
    return null;
  }
}

function search() {
  const isMatch = compileSearch();
  matches = isMatch ? Uint8Array.from(functions, (fn) => isMatch(fn[6] || fn[0]) ? 1 : 0) : null;
  const status = element("matched");
  status.textContent = "";
  if (!matches)
    return;
  // Each sample once, however many of its frames match.
  const inside = new Uint8Array(whole.n);
  let ticks = 0;
  for (let i = 1; i < whole.n; i++) {
    inside[i] = inside[whole.parent[i]];
    if (!inside[i] && matches[whole.fn[i]]) {
      inside[i] = 1;
      ticks += whole.total[i];
    }
  }
  const n = matches.reduce((a, b) => a + b, 0);
  const [lo, hi] = interval(ticks);
  status.textContent = `${n} function${n === 1 ? "" : "s"}, ${percent(ticks)} % (${limits(lo, hi)} %)`;
}

function nextMatch() {
  if (!matches)
    return;
  for (let k = 1; k <= tree.n; k++) {
    const node = (Math.max(selected, 0) + k) % tree.n;
    if (tree.fn[node] >= 0 && matches[tree.fn[node]]) {
      select(node);
      return;
    }
  }
}

// --- The table

const MOST_ROWS = 500;
const sorts = {
  self: (a, b) => functions[b][2] - functions[a][2] || functions[b][3] - functions[a][3],
  total: (a, b) => functions[b][3] - functions[a][3] || functions[b][2] - functions[a][2],
  name: (a, b) => nameOf(a).localeCompare(nameOf(b)),
  binary: (a, b) => binaryOf(a).localeCompare(binaryOf(b)) || sorts.self(a, b),
};

function fillTable() {
  const rows = element("rows");
  const order = functions.map((_, fn) => fn).filter((fn) => !matches || matches[fn]);
  order.sort(sorts[view.sort]);
  if (view.up)
    order.reverse();
  rows.textContent = "";
  for (const fn of order.slice(0, MOST_ROWS)) {
    const [name, , self, total, lo, hi] = functions[fn];
    const row = document.createElement("tr");
    row.tabIndex = 0;
    row.dataset.fn = fn;
    row.classList.toggle("chosen", fn === view.fn);
    row.classList.toggle("match", Boolean(matches));
    for (const [text, kind] of [[percent(self), "number"], [percent(total), "number"],
                                [limits(lo, hi), "error"], [name, ""], [binaryOf(fn), ""]]) {
      const cell = document.createElement("td");
      cell.textContent = text;
      cell.className = kind;
      if (!kind)
        cell.title = text;
      row.append(cell);
    }
    rows.append(row);
  }
  element("more").textContent = order.length > MOST_ROWS ?
    `${order.length - MOST_ROWS} more; a search finds them` : "";
  for (const button of document.querySelectorAll("[data-sort]")) {
    button.removeAttribute("aria-sort");
    if (button.dataset.sort === view.sort)
      button.setAttribute("aria-sort", view.up ? "ascending" : "descending");
  }
}

// --- What changes the view

function press(id, on) { element(id).setAttribute("aria-pressed", String(on)); }

function show() {
  press("flame", view.shape === "flame");
  press("icicle", view.shape === "icicle");
  press("callees", view.order === "callees");
  press("callers", view.order === "callers");
  press("by-binary", view.colour === "binary");
  press("by-heat", view.colour === "heat");
  press("table-toggle", view.table);
  element("side").hidden = !view.table;
  element("focus-bar").hidden = view.fn < 0;
  if (view.fn >= 0)
    element("focus-name").textContent = `${nameOf(view.fn)}: who calls it above, what it calls below; ` +
      `${percent(functions[view.fn][3])} % in all, itself ${percent(functions[view.fn][2])} %`;
  keep();
  drawNow();
}

function scrollToRoot() {
  stage.scrollTop = view.fn < 0 && view.shape === "flame" ? stage.scrollHeight : 0;
  draw();
}

function zoom(node) {
  view.zoom = node;
  selected = node;
  show();
  scrollToRoot();
  describe(tree, node);
}

function select(node) {
  if (node < 0)
    return;
  selected = node;
  // What lies outside of the zoom is brought into it.
  let at = node;
  while (at > 0 && at !== view.zoom)
    at = tree.parent[at];
  if (at !== view.zoom)
    view.zoom = tree.parent[node];
  show();
  describe(tree, node);
  const frame = shown.find(([of, one]) => of === tree && one === node);
  if (!frame) {
    const row = tree.depth[node] * ROW;
    stage.scrollTop = view.shape === "flame" && view.fn < 0 ? stage.scrollHeight - row - stage.clientHeight / 2 : row - stage.clientHeight / 2;
    draw();
  }
}

function focusOn(fn) {
  view.fn = fn;
  chooseTree();
  show();
  fillTable();
  stage.scrollTop = 0;
}

function back() {
  if (view.fn >= 0)
    focusOn(-1);
  else if (view.zoom > 0)
    zoom(0);
  else if (view.search)
    searchFor("");
  scrollToRoot();
}

function searchFor(text) {
  view.search = text;
  element("search").value = text;
  search();
  fillTable();
  show();
}

function setShape(shape) { view.shape = shape; show(); scrollToRoot(); }
function setOrder(order) {
  view.order = order;
  view.fn = -1;
  chooseTree();
  show();
  scrollToRoot();
}
function setColour(colour) { view.colour = colour; show(); }
function toggleTable() { view.table = !view.table; show(); }

const clicks = {
  "flame": () => setShape("flame"),
  "icicle": () => setShape("icicle"),
  "callees": () => setOrder("callees"),
  "callers": () => setOrder("callers"),
  "by-binary": () => setColour("binary"),
  "by-heat": () => setColour("heat"),
  "reset": () => { view.fn = -1; searchFor(""); chooseTree(); fillTable(); show(); scrollToRoot(); },
  "table-toggle": toggleTable,
  "focus-close": () => focusOn(-1),
  "theme": () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    draw();
  },
};
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
canvas.addEventListener("click", (event) => {
  const frame = frameAt(event);
  if (!frame)
    return;
  if (frame.of === tree)
    zoom(frame.node);
  else
    focusOn(frame.of.fn[frame.node]);
});
canvas.addEventListener("dblclick", (event) => {
  const frame = frameAt(event);
  if (frame && frame.of.fn[frame.node] >= 0)
    focusOn(frame.of.fn[frame.node]);
});
stage.addEventListener("scroll", draw);
window.addEventListener("resize", draw);
window.addEventListener("hashchange", () => { restore(); element("search").value = view.search; search(); fillTable(); show(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);

function chooseRow(event) {
  const row = event.target.closest("tr[data-fn]");
  if (row)
    focusOn(Number(row.dataset.fn));
}
element("rows").addEventListener("click", chooseRow);
element("rows").addEventListener("keydown", (event) => {
  if (event.key === "Enter")
    chooseRow(event);
});
for (const button of document.querySelectorAll("[data-sort]"))
  button.addEventListener("click", () => {
    view.up = view.sort === button.dataset.sort ? !view.up : false;
    view.sort = button.dataset.sort;
    fillTable();
  });
element("search").addEventListener("input", (event) => searchFor(event.target.value));
element("regex").addEventListener("change", (event) => { view.regex = event.target.checked; searchFor(view.search); });

// The keys of the stage: away from the root, to it, and along a row.
function move(key) {
  const away = view.shape === "flame" && view.fn < 0 ? "ArrowUp" : "ArrowDown";
  if (selected < 0)
    return select(view.zoom);
  if (key === "ArrowUp" || key === "ArrowDown")
    return select(key === away ? tree.child[selected] : tree.parent[selected]);
  const siblings = [];
  if (selected > 0)
    for (let c = tree.child[tree.parent[selected]]; c >= 0; c = tree.sibling[c])
      siblings.push(c);
  const at = siblings.indexOf(selected) + (key === "ArrowRight" ? 1 : -1);
  if (siblings[at] !== undefined)
    select(siblings[at]);
}
const keys = {
  "/": () => element("search").focus(),
  "f": () => setShape(view.shape === "flame" ? "icicle" : "flame"),
  "i": () => setOrder(view.order === "callees" ? "callers" : "callees"),
  "c": () => setColour(view.colour === "binary" ? "heat" : "binary"),
  "t": toggleTable,
  "n": nextMatch,
  "Escape": back,
};
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey)
    return;
  if (event.target === element("search")) {
    if (event.key === "Escape" || event.key === "Enter") {
      if (event.key === "Escape")
        searchFor("");
      stage.focus();
      event.preventDefault();
    }
    return;
  }
  if (event.target === stage && event.key.startsWith("Arrow"))
    move(event.key);
  else if (event.target === stage && event.key === "Enter" && selected >= 0)
    zoom(selected);
  else if (keys[event.key])
    keys[event.key]();
  else
    return;
  event.preventDefault();
});

// --- Begin

document.title = profile.title + " \u2013 profrun";
element("title").textContent = profile.title;
element("subtitle").textContent = profile.subtitle;
restore();
element("search").value = view.search;
element("regex").checked = view.regex;
search();
fillTable();
show();
scrollToRoot();
if (TICKS === 0)
  element("details").textContent = "There are no ticks in this profile.";
})();
