// --- Trees.  Nodes are numbers; a parent comes before its children.

class Tree {
  // PARENT, FN and SELF are arrays, one entry a node; node 0 is the root.  OTHER
  // is SELF of the other side of a comparison, or null; ORIGIN the nodes of the
  // file that these are, or null: they are none.
  constructor(parent, fn, self, other, origin) {
    const n = parent.length;
    this.n = n;
    this.parent = parent;
    this.fn = fn;
    this.self = self;
    this.other = other;
    this.origin = origin;
    this.pruned = 0; // paths that are not whole
    this.total = Float64Array.from(self);
    this.otherTotal = other && Float64Array.from(other);
    this.depth = new Int32Array(n);
    this.child = new Int32Array(n).fill(-1);
    this.sibling = new Int32Array(n).fill(-1);
    this.at = new Float64Array(n); // where it begins, in ticks
    for (let i = n - 1; i > 0; i--) {
      this.total[parent[i]] += this.total[i];
      if (other)
        this.otherTotal[parent[i]] += this.otherTotal[i];
      this.sibling[i] = this.child[parent[i]];
      this.child[parent[i]] = i;
    }
    const filled = new Float64Array(n);
    for (let i = 1; i < n; i++) {
      const p = parent[i];
      this.depth[i] = this.depth[p] + 1;
      this.at[i] = this.at[p] + filled[p];
      filled[p] += this.total[i];
    }
  }
  isGuessed(node) { return this.origin !== null && file.guessed[this.origin[node]] === 1; }
  line(node) { return this.origin && file.line ? file.line[this.origin[node]] : 0; }
  // The same without what has no ticks on either side; children with more ticks
  // come first.
  sorted() {
    const n = this.n;
    const order = new Int32Array(n), place = new Int32Array(n);
    const byTotal = (a, b) => this.total[b] - this.total[a] || this.fn[a] - this.fn[b];
    let put = 1;
    for (let k = 0; k < put; k++) {
      const first = put;
      for (let c = this.child[order[k]]; c >= 0; c = this.sibling[c])
        if (this.total[c] > 0 || otherOf(this.otherTotal, c) > 0)
          order[put++] = c;
      if (put - first > 1)
        order.subarray(first, put).sort(byTotal);
      for (let i = first; i < put; i++)
        place[order[i]] = i;
    }
    const kept = order.subarray(0, put);
    const moved = (values) => values && kept.map((node) => values[node]);
    const picked = (values) => values && Float64Array.from(kept, (node) => values[node]);
    return new Tree(kept.map((node) => place[this.parent[node]]), moved(this.fn), picked(this.self),
                    picked(this.other), moved(this.origin));
  }
}

// The tree of the file: parents are written as distances.
function readNodes() {
  const nodes = profile.nodes, n = nodes.up.length;
  const parent = new Int32Array(n), guessed = new Uint8Array(n);
  for (let i = 1; i < n; i++)
    parent[i] = i - nodes.up[i];
  for (const i of nodes.guessed)
    guessed[i] = 1;
  return { n, parent, guessed, fn: Int32Array.from(nodes.fn), self: Float64Array.from(nodes.self),
           other: nodes.old ? Float64Array.from(nodes.old) : null,
           line: nodes.line.length ? Int32Array.from(nodes.line) : null };
}
const file = readNodes();
const everyNode = Int32Array.from(file.parent, (_, i) => i);

// Instead of a function: what was below a path that would have been one node too many.
// (A tree upwards has as many nodes for each of the file as that has callers.)
const PRUNED = -2;
const MOST_NODES = 1000000;

// Gathers paths of functions, each with its ticks, into a tree.  Which child of a
// node has which function is looked up in a table of node numbers, by a hash of
// both: there are millions of steps.
class Gatherer {
  constructor() {
    this.n = 1;
    this.parent = new Int32Array(1024);
    this.fn = new Int32Array(1024).fill(-1);
    this.self = new Float64Array(1024);
    this.other = new Float64Array(1024);
    this.slots = new Int32Array(4096); // a node, or 0: free
    this.pruned = 0; // paths
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
    for (const name of ["parent", "fn", "self", "other"]) {
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
  add(node, self, other) {
    this.self[node] += self;
    this.other[node] += other;
  }
  // The path from FROM, a node of OF, up to the root, as far as there is room.
  goUp(of, from) {
    let node = this.go(0, of.fn[from]);
    for (let at = of.parent[from]; at > 0; at = of.parent[at]) {
      if (this.n >= MOST_NODES && this.slots[this.slotOf(node, of.fn[at])] === 0) {
        this.pruned++;
        return this.go(node, PRUNED);
      }
      node = this.go(node, of.fn[at]);
    }
    return node;
  }
  tree() {
    const cut = (values) => values.subarray(0, this.n);
    const tree = new Tree(cut(this.parent), cut(this.fn), cut(this.self), file.other && cut(this.other), null).sorted();
    tree.pruned = this.pruned;
    return tree;
  }
}

// The nodes of FN in OF that have no other of FN above them: each sample is in
// one at most.
function outermost(of, fn) {
  const inside = new Uint8Array(of.n), found = [];
  for (let i = 1; i < of.n; i++) {
    inside[i] = inside[of.parent[i]];
    if (of.fn[i] === fn && !inside[i]) {
      inside[i] = 1;
      found.push(i);
    }
  }
  return { inside, found };
}

const otherOf = (values, i) => values ? values[i] : 0;

// The paths of NODES of OF upwards, with ticks of VALUES and OTHERS: where there is not
// room for all, those with the most.
function upwards(of, nodes, values, others) {
  const gatherer = new Gatherer();
  const ticks = (i) => values[i] + otherOf(others, i);
  for (const i of nodes.sort((a, b) => ticks(b) - ticks(a)))
    gatherer.add(gatherer.goUp(of, i), values[i], otherOf(others, i));
  return gatherer.tree();
}

// From where time is spent to who called it.
function invertedOf(of) {
  const nodes = [];
  for (let i = 1; i < of.n; i++)
    if (of.self[i] > 0 || otherOf(of.other, i) > 0)
      nodes.push(i);
  return upwards(of, nodes, of.self, of.other);
}

// What FN calls, in all its contexts.
function calleesOf(of, fn) {
  const gatherer = new Gatherer(), { inside, found } = outermost(of, fn);
  const place = new Int32Array(of.n);
  for (const i of found)
    place[i] = gatherer.go(0, fn);
  for (let i = 1; i < of.n; i++) {
    if (!inside[i])
      continue;
    if (!place[i])
      place[i] = gatherer.go(place[of.parent[i]], of.fn[i]);
    gatherer.add(place[i], of.self[i], otherOf(of.other, i));
  }
  return gatherer.tree();
}

// Who calls FN.
const callersOf = (of, fn) => upwards(of, outermost(of, fn).found, of.total, of.otherTotal);

// Ticks of each function itself, and with what it calls: each sample once.
function sumsOf(of) {
  const self = new Float64Array(functions.length), total = new Float64Array(functions.length);
  for (let i = 1; i < of.n; i++) {
    const fn = of.fn[i];
    let at = of.parent[i];
    while (at > 0 && of.fn[at] !== fn)
      at = of.parent[at];
    self[fn] += of.self[i];
    if (at === 0)
      total[fn] += of.total[i];
  }
  return { self, total };
}
