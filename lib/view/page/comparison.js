// --- Of a comparison: what has changed.  A row of CHANGES, for each function:
// [verdict, old share, new share, limits of the change], of the function itself,
// and the same again with what it calls.

const changes = profile.changes ?? null;
const SAME = 0, SLOWER = 1, FASTER = 2;
const verdicts = ["no more than chance", "slower", "faster", "another share, because others have changed"];

function changeOf(fn, withCallees) {
  const from = withCallees ? 5 : 0;
  const [verdict, before, after, lo, hi] = changes[fn].slice(from, from + 5);
  return { verdict, before: before / SHARE, after: after / SHARE, lo: lo / SHARE, hi: hi / SHARE };
}
const hasChanged = (verdict) => verdict === SLOWER || verdict === FASTER;

// What a frame of FN shows: the function itself has changed, or what it calls.
function shownChange(fn) {
  const own = changes[fn][0], all = changes[fn][5];
  if (hasChanged(own))
    return { verdict: own, itself: true };
  return { verdict: hasChanged(all) ? all : SAME, itself: false };
}
// Besides the colour, which not everybody sees.
function markOf(fn) {
  const { verdict, itself } = shownChange(fn);
  if (verdict === SAME)
    return "";
  return (verdict === SLOWER ? itself ? "\u25b2" : "\u25b3" : itself ? "\u25bc" : "\u25bd") + " ";
}

const signed = (share) => (share < 0 ? "\u2212" : "+") + Math.abs(100 * share).toFixed(2);
const changeLimits = ({ lo, hi }) => `${signed(lo).slice(0, -1)}..${signed(hi).slice(0, -1)}`;
const sideShare = (share, isGone) => isGone ? "\u2013" : (100 * share).toFixed(2);

function describeChange(what, change) {
  if (change.before === 0 && change.after === 0)
    return `${what} nothing`;
  const sides = change.before === 0 ? `new, ${sideShare(change.after)} %`
    : change.after === 0 ? `gone, ${sideShare(change.before)} % before`
    : `${sideShare(change.before)} \u2192 ${sideShare(change.after)} %`;
  return `${what} ${sides}, ${signed(change.after - change.before)} (${changeLimits(change)}): ${verdicts[change.verdict]}`;
}
// Of a frame at hand, of which OLD and NEW are shares.
function describeSides(fn, before, after) {
  const here = ": here " + (before === 0 ? `only new, ${sideShare(after)} %` : after === 0 ? `only old, ${sideShare(before)} %`
    : `${sideShare(before)} \u2192 ${sideShare(after)} %`);
  return here + (fn < 0 ? "" : `; everywhere ${describeChange("itself", changeOf(fn, false))}; ` +
                               describeChange("with what it calls", changeOf(fn, true)));
}
