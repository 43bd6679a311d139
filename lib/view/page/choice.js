// --- What is shown: all, or the samples of a program, a process or a thread, or
// of a span of time; of a comparison the widths of either side.

const SHARE = 1e5; // of shares in the file
const sums = { self: Float64Array.from(functions, (fn) => fn[2]), total: Float64Array.from(functions, (fn) => fn[3]) };
let whole = null;       // the tree of what is shown
let TICKS = 0;          // its ticks
let shownSums = sums;   // by function
let weight = profile.weight; // ticks that are worth a sample

// Sums of each owner; nodes are written as distances.
function readSums() {
  const { n, node, ticks } = profile.sums;
  const owners = [];
  let i = 0;
  for (const count of n) {
    const nodes = new Int32Array(count);
    let at = 0, all = 0;
    for (let k = 0; k < count; k++) {
      at += node[i + k];
      nodes[k] = at;
      all += ticks[i + k];
    }
    owners.push({ nodes, ticks: ticks.slice(i, i + count), all });
    i += count;
  }
  return owners;
}
const sumsByOwner = profile.sums ? readSums() : null;

// Samples of each owner in time.
function readTimes() {
  const { n, at, node, ticks } = profile.times;
  const owners = [];
  let i = 0;
  for (const count of n) {
    const times = new Int32Array(count);
    for (let k = 0, time = 0; k < count; k++)
      times[k] = time += at[i + k];
    owners.push({ times, nodes: Int32Array.from(node.slice(i, i + count)), ticks: Float64Array.from(ticks.slice(i, i + count)) });
    i += count;
  }
  return owners;
}
const timesByOwner = profile.times ? readTimes() : null;
const unitSeconds = profile.times ? profile.times.unit_ns / 1e9 : 0;
// Of the run before the first unit, which is not in the file.
const skippedSeconds = profile.times ? profile.times.skipped_ns / 1e9 : 0;

const owners = (profile.owners ?? []).map(([program, pid, tid, name, threads, begin, end], number) =>
  ({ number, program: profile.programs[program] || "[unknown]", pid, tid, name, threads, begin, end,
     ticks: sumsByOwner ? sumsByOwner[number].all : profile.nodes.self.reduce((a, b) => a + b, 0) }));

function ownerName({ program, pid, tid, name, threads }) {
  if (!pid)
    return threads > 1 ? `${threads} others of ${program}` : program;
  if (!tid)
    return `${threads} other threads of ${pid} ${program}`;
  return `${tid} ${name || program}`;
}

// All that can be chosen: [value, what is said, ticks, numbers of owners].
function readChoices() {
  const groups = { program: new Map(), process: new Map(), thread: new Map() };
  const add = (kind, key, label, owner) => {
    const value = `${kind}-${key}`;
    const found = groups[kind].get(value) ?? { value, labels: new Set(), ticks: 0, owners: new Set() };
    found.labels.add(label);
    found.ticks += owner.ticks;
    found.owners.add(owner.number);
    groups[kind].set(value, found);
  };
  for (const owner of owners) {
    add("program", owner.program, owner.program, owner);
    if (owner.pid)
      add("process", owner.pid, owner.program, owner);
    add("thread", owner.number, ownerName(owner), owner);
  }
  const byTicks = (group) => [...group.values()].sort((a, b) => b.ticks - a.ticks);
  return { program: byTicks(groups.program), process: byTicks(groups.process), thread: byTicks(groups.thread) };
}
const choices = readChoices();
const findChoice = (value) => Object.values(choices).flat().find((choice) => choice.value === value) ?? null;
const choiceName = ({ value, labels }) =>
  (value.startsWith("process-") ? value.slice(8) + " " : "") + [...labels].join(", ");

// Ticks by node of the file, as they are chosen.
function chosenTicks() {
  const of = findChoice(view.of);
  if (!of && !view.span)
    return file.self;
  const self = new Float64Array(file.n);
  const wanted = (number) => !of || of.owners.has(number);
  if (view.span)
    timesByOwner.forEach(({ times, nodes, ticks }, number) => {
      for (let i = 0; wanted(number) && i < times.length; i++)
        if (times[i] >= view.span[0] && times[i] < view.span[1])
          self[nodes[i]] += ticks[i];
    });
  else
    sumsByOwner.forEach(({ nodes, ticks }, number) => {
      for (let i = 0; wanted(number) && i < nodes.length; i++)
        self[nodes[i]] += ticks[i];
    });
  return self;
}

// The tree of what is chosen, and what follows from it.
function choose() {
  const isOld = view.widths === "old";
  const isAll = !view.of && !view.span;
  const self = isOld ? file.other : chosenTicks();
  const tree = new Tree(file.parent, file.fn, self, isOld ? file.self : file.other, everyNode);
  // As the file is, it is in order.
  whole = isAll && !file.other ? tree : tree.sorted();
  TICKS = whole.total[0];
  shownSums = isAll && !changes ? sums : sumsOf(whole);
  weight = profile.weight * (view.span ? profile.times.in_one : 1);
  inverted = null;
}
let inverted = null;
const invertedTree = () => inverted ??= invertedOf(whole);
