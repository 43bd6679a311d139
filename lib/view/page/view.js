// --- The view, which the address of the page keeps

const USUAL_SORT = changes ? "change" : "self";
const view = { shape: "flame", order: "callees", colour: "binary", widths: "new", counts: "self", zoom: 0, fn: -1,
               of: "", span: null, range: null, search: "", regex: false, table: true, time: true,
               sort: USUAL_SORT, up: false };
let tree = null;      // that is shown below, or alone
let above = null;     // callers of view.fn, upwards
let selected = -1;    // node under the keyboard
let selectedOf = null; // the tree that it is of, TREE or ABOVE
let hovered = -1;     // node of TREE
let matches = null;   // by function

// Browsers refuse to change the address very often: it is changed when the view has
// stayed for a moment, and what fails then matters to nobody.
const KEEP_MS = 300;
let keeping = 0;      // the timer that does it

function putAddress(words) {
  keeping = 0;
  const hash = words.length ? "#" + words.join("&") : "";
  if (hash === location.hash)
    return;
  try {
    history.replaceState(null, "", hash || location.pathname + location.search);
  } catch (error) {
    console.warn(error);
  }
}

function keep() {
  const words = [];
  const put = (name, value, usual) => {
    if (value !== usual)
      words.push(name + "=" + encodeURIComponent(value));
  };
  put("shape", view.shape, "flame");
  put("order", view.order, "callees");
  put("colour", view.colour, "binary");
  put("widths", view.widths, "new");
  put("counts", view.counts, "self");
  put("of", view.of, "");
  put("span", view.span ? view.span.join("-") : "", "");
  put("range", view.range ? view.range.join("-") : "", "");
  put("zoom", view.zoom, 0);
  put("fn", view.fn, -1);
  put("search", view.search, "");
  put("regex", view.regex ? 1 : 0, 0);
  put("table", view.table ? 1 : 0, 1);
  put("time", view.time ? 1 : 0, 1);
  put("sort", view.sort, USUAL_SORT);
  put("up", view.up ? 1 : 0, 0);
  clearTimeout(keeping);
  keeping = setTimeout(putAddress, KEEP_MS, words);
}

function restore() {
  const words = new URLSearchParams(location.hash.slice(1));
  const oneOf = (name, choices) => choices.includes(words.get(name)) ? words.get(name) : choices[0];
  const units = (name) => {
    const [from, to] = (words.get(name) ?? "").split("-").map(Number);
    return timesByOwner && from >= 0 && from < to && to <= UNITS ? [from, to] : null;
  };
  view.shape = oneOf("shape", ["flame", "icicle"]);
  view.order = oneOf("order", ["callees", "callers"]);
  view.colour = oneOf("colour", ["binary", "heat"]);
  view.widths = file.other ? oneOf("widths", ["new", "old"]) : "new";
  view.counts = oneOf("counts", ["self", "total"]);
  view.of = sumsByOwner && findChoice(words.get("of") ?? "") ? words.get("of") : "";
  view.span = units("span");
  view.range = units("range");
  view.search = words.get("search") ?? "";
  view.regex = words.get("regex") === "1";
  view.table = words.get("table") !== "0";
  view.time = words.get("time") !== "0";
  view.sort = columns.some(([key]) => key && key === words.get("sort")) ? words.get("sort") : USUAL_SORT;
  view.up = words.get("up") === "1";
  const fn = Number(words.get("fn") ?? -1);
  view.fn = Number.isInteger(fn) && fn >= 0 && fn < functions.length ? fn : -1;
  choose();
  chooseTree();
  const zoom = Number(words.get("zoom") ?? 0);
  view.zoom = Number.isInteger(zoom) && zoom > 0 && zoom < tree.n ? zoom : view.zoom;
}

function chooseTree() {
  above = null;
  selected = hovered = -1;
  view.zoom = 0;
  if (view.fn >= 0) {
    tree = calleesOf(whole, view.fn);
    above = callersOf(whole, view.fn);
    // FN itself, without the root above it.
    view.zoom = tree.n > 1 ? 1 : 0;
  } else {
    tree = view.order === "callers" ? invertedTree() : whole;
  }
  describe(null, -1);
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

// Of NODE in a comparison: shares of either side.
function sidesOf(of, node) {
  const here = of.total[node] / (whole.total[0] || 1), there = of.otherTotal[node] / (whole.otherTotal[0] || 1);
  return view.widths === "old" ? [here, there] : [there, here];
}

// What the colours are of, where nothing else is to be told.
function explain() {
  const details = element("details");
  details.textContent = "";
  for (const [colour, words] of colourKey()) {
    const one = document.createElement("span"), swatch = document.createElement("i");
    swatch.style.background = colour;
    one.className = "key";
    one.append(swatch, words);
    details.append(one);
  }
  const hint = document.createElement("span");
  const pruned = (tree?.pruned ?? 0) + (above?.pruned ?? 0);
  hint.textContent = "A click on a frame zooms, a double click shows its callers." +
    (pruned ? ` ${pruned} stack${pruned === 1 ? " has" : "s have"} more callers than there is room for: [pruned].` : "");
  details.append(hint);
}

function describe(of, node) {
  if (!of || node < 0) {
    explain();
    return;
  }
  const details = element("details");
  details.textContent = "";
  const fn = of.fn[node], ticks = of.total[node];
  const bold = document.createElement("b"), rest = document.createElement("span");
  bold.textContent = (changes && fn >= 0 ? markOf(fn) : "") + wholeNameOf(fn);
  const place = placeOf(of, node);
  const where = (fn >= 0 ? ` in ${profile.binaries[functions[fn][1]][1] || binaryOf(fn)}` : "") + (place ? `, ${place}` : "");
  if (changes) {
    rest.textContent = where + describeSides(fn, ...sidesOf(of, node));
  } else {
    const own = of.self[node] && of === whole ? `, itself ${percent(of.self[node])} %` : "";
    const guess = of.isGuessed(node) ? "; found without unwind information" : "";
    rest.textContent = `${where}: ${percent(ticks)} % (${limits(interval(ticks))} %), ${ticks} ${profile.unit}` +
      `${profile.rate ? ", " + seconds(ticks) : ""}${own}${guess}`;
  }
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
  matches = isMatch ? Uint8Array.from(functions, (_, fn) => isMatch(wholeNameOf(fn)) ? 1 : 0) : null;
  matchesNode = null;
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
  if (timesByOwner) {
    matchesNode = new Uint8Array(file.n);
    for (let i = 1; i < file.n; i++)
      matchesNode[i] = matchesNode[file.parent[i]] | matches[file.fn[i]];
  }
  const n = matches.reduce((a, b) => a + b, 0);
  status.textContent = `${n} function${n === 1 ? "" : "s"}, ${percent(ticks)} % (${limits(interval(ticks))} %)`;
}

// Those of TREE come first, then the callers.
function nextMatch() {
  if (!matches)
    return;
  const n = tree.n + (above ? above.n : 0);
  const from = selected < 0 ? 0 : selected + (selectedOf === tree ? 0 : tree.n);
  for (let k = 1; k <= n; k++) {
    const at = (from + k) % n;
    const [of, node] = at < tree.n ? [tree, at] : [above, at - tree.n];
    if (matches[of.fn[node]] && canSelect(of, node)) {
      select(of, node);
      return;
    }
  }
}
