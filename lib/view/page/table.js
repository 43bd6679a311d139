// --- The table

const MOST_ROWS = 500;
const shownChangeOf = (fn) => changeOf(fn, view.counts === "total");
const differenceOf = (fn) => { const { before, after } = shownChangeOf(fn); return after - before; };
const isCertain = (fn) => Number(hasChanged(shownChangeOf(fn).verdict));
const byName = (a, b) => nameOf(a).localeCompare(nameOf(b));

// [key, what stands above, class, a cell's text, the order of rows; a hint]
const plainColumns = [
  ["self", "self %", "number", (fn) => percent(shownSums.self[fn]),
   (a, b) => shownSums.self[b] - shownSums.self[a] || shownSums.total[b] - shownSums.total[a]],
  ["total", "total %", "number", (fn) => percent(shownSums.total[fn]),
   (a, b) => shownSums.total[b] - shownSums.total[a] || shownSums.self[b] - shownSums.self[a]],
  ["", "95 %", "error", (fn) => limits(selfLimits(fn)), null,
   "Where the true share of self is, with a confidence of 95 %"],
];
const changeColumns = [
  ["old", "old %", "number", (fn) => sideShare(shownChangeOf(fn).before, shownChangeOf(fn).before === 0),
   (a, b) => shownChangeOf(b).before - shownChangeOf(a).before],
  ["new", "new %", "number", (fn) => sideShare(shownChangeOf(fn).after, shownChangeOf(fn).after === 0),
   (a, b) => shownChangeOf(b).after - shownChangeOf(a).after],
  ["change", "change", "number", (fn) => signed(differenceOf(fn)),
   (a, b) => isCertain(b) - isCertain(a) || Math.abs(differenceOf(b)) - Math.abs(differenceOf(a))],
  ["", "95 %", "error wide", (fn) => changeLimits(shownChangeOf(fn)), null,
   "Where the true change is, with a confidence of 95 %"],
];
const columns = [
  ...(changes ? changeColumns : plainColumns),
  ["name", "function", "name", (fn) => (changes ? markOf(fn) : "") + nameOf(fn), byName],
  ["binary", "binary", "binary", binaryOf, (a, b) => binaryOf(a).localeCompare(binaryOf(b)) || orders.first(a, b)],
];
const orders = Object.fromEntries(columns.filter(([key]) => key).map(([key, , , , order]) => [key, order]));
orders.first = columns[0][4];

function makeHeadings() {
  const row = element("headings");
  for (const [key, title, kind, , , hint] of columns) {
    const cell = document.createElement("th");
    cell.className = kind;
    if (hint)
      cell.title = hint;
    if (!key) {
      cell.textContent = title;
    } else {
      const button = document.createElement("button");
      button.dataset.sort = key;
      button.textContent = title;
      button.addEventListener("click", () => {
        view.up = view.sort === key ? !view.up : false;
        view.sort = key;
        fillTable();
        keep();
      });
      cell.append(button);
    }
    row.append(cell);
  }
}

// Names come from A to Z first, numbers from the largest.
const isAscending = () => view.up !== (view.sort === "name" || view.sort === "binary");

const isInTable = (fn) => (!matches || matches[fn]) &&
  (changes ? changes[fn][6] > 0 || changes[fn][7] > 0 : shownSums.total[fn] > 0 || shownSums.self[fn] > 0);

function rowOf(fn) {
  const row = document.createElement("tr");
  row.tabIndex = 0;
  row.dataset.fn = fn;
  row.classList.toggle("chosen", fn === view.fn);
  row.classList.toggle("match", Boolean(matches));
  if (changes)
    row.classList.add(["same", "slower", "faster", "same"][shownChangeOf(fn).verdict]);
  for (const [, , kind, text] of columns) {
    const cell = document.createElement("td");
    cell.textContent = text(fn);
    cell.className = kind;
    if (kind === "name" || kind === "binary")
      cell.title = cell.textContent;
    row.append(cell);
  }
  return row;
}

// With MOST rows.
function fillTable(most = MOST_ROWS) {
  const rows = element("rows");
  const order = functions.map((_, fn) => fn).filter(isInTable).sort(orders[view.sort] ?? orders.first);
  if (view.up)
    order.reverse();
  rows.textContent = "";
  rows.append(...order.slice(0, most).map(rowOf));
  element("more").textContent = order.length > most ?
    `${order.length - most} more${most === MOST_ROWS ? "; a search finds them" : ""}` : "";
  for (const button of document.querySelectorAll("[data-sort]")) {
    const heading = button.closest("th");
    heading.removeAttribute("aria-sort");
    if (button.dataset.sort === view.sort)
      heading.setAttribute("aria-sort", isAscending() ? "ascending" : "descending");
  }
}
