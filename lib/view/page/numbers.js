// --- Numbers and names

const percent = (ticks, all = TICKS) => all ? (100 * ticks / all).toFixed(2) : "0.00";
const nameOf = (fn) => fn === PRUNED ? "[pruned]" : fn < 0 ? "all" : functions[fn][0];
const wholeNameOf = (fn) => fn < 0 ? nameOf(fn) : functions[fn][6] || functions[fn][0];
const binaryOf = (fn) => fn < 0 ? "" : profile.binaries[functions[fn][1]][0];
const seconds = (ticks) => profile.rate ? (ticks / profile.rate).toFixed(2) + " s" : "";
const limits = ([lo, hi]) => `${(100 * lo).toFixed(1)}..${(100 * hi).toFixed(1)}`;

// Wilson's interval of a share, as in the tables of profrun, but that each sample
// weighs what they weigh in the mean; wider by the part that may be anywhere.
function interval(ticks) {
  const n = TICKS / weight, k = ticks / weight, z = 1.959964;
  if (!(n > 0))
    return [0, 1];
  const end = (x, sign) =>
    (x + z * z / 2 + sign * z * Math.sqrt(Math.max(0, x * (n - x) / n) + z * z / 4)) / (n + z * z);
  const doubt = profile.doubt ?? 0;
  return [Math.max(0, (k > 0.5 ? end(k - 0.5, -1) : 0) - doubt), Math.min(1, (k + 0.5 < n ? end(k + 0.5, 1) : 1) + doubt)];
}
// Of a function itself.
const selfLimits = (fn) => shownSums === sums ? [functions[fn][4] / SHARE, functions[fn][5] / SHARE]
                                              : interval(shownSums.self[fn]);

// Where in the source: the file of the function, the line of the node.
function placeOf(of, node) {
  const path = profile.files?.[(functions[of.fn[node]]?.[7] ?? 0) - 1];
  const line = of.line(node);
  return path ? path + (line ? ":" + line : "") : "";
}

// UNIT of time, in seconds since the begin of the run.
const timeAt = (unit) => skippedSeconds + unit * unitSeconds;
// A moment, in these seconds, with as many digits as STEP needs.
const moment = (time_s, step_s) => time_s.toFixed(Math.max(0, Math.min(4, Math.ceil(-Math.log10(step_s || 1))))) + " s";
