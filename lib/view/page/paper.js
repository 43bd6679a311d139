// --- Paper, where nothing scrolls: all rows are drawn, as shapes of any size, in
// pieces that no page cuts.

const PAPER = 1000;            // pixels, which become as wide as the paper is
const PIECE = 8;               // rows
const PAPER_FUNCTIONS = 50;    // of the table

// What drawing does with a canvas, done with an image of shapes.
class Piece {
  constructor(box, height) {
    this.globalAlpha = 1;
    this.dash = "";
    box.insertAdjacentHTML("beforeend", "<svg></svg>");
    this.svg = box.lastElementChild;
    this.svg.setAttribute("viewBox", `0 0 ${PAPER} ${height}`);
  }
  put(name, attributes) {
    const shape = this.svg.appendChild(document.createElementNS(this.svg.namespaceURI, name));
    for (const [key, value] of Object.entries(attributes))
      shape.setAttribute(key, typeof value === "number" ? Number(value.toFixed(2)) : value);
    if (this.globalAlpha < 1)
      shape.setAttribute("opacity", this.globalAlpha);
    return shape;
  }
  fillRect(x, y, width, height) { this.put("rect", { x, y, width, height, fill: this.fillStyle }); }
  clearRect(x, y, width, height) { this.put("rect", { x, y, width, height, fill: "#fff" }); }
  strokeRect(x, y, width, height) {
    this.put("rect", { x, y, width, height, fill: "none", stroke: this.strokeStyle,
                       "stroke-width": this.lineWidth ?? 1, "stroke-dasharray": this.dash });
  }
  fillText(text, x, y) { this.put("text", { x, y, fill: this.fillStyle, style: "font:" + this.font }).textContent = text; }
  setLineDash(lengths) { this.dash = lengths.join(" "); }
  measureText(text) {
    const screen = canvas.getContext("2d");
    screen.font = this.font;
    return screen.measureText(text);
  }
}

function printFrames(style) {
  const layout = layOut(PAPER), screen = context;
  for (let row = 0; row < layout.rows; row += PIECE) {
    const height = Math.min(PIECE, layout.rows - row) * ROW;
    context = new Piece(element("paper"), height);
    drawFrames(layout, row * ROW, height, layout.rows * ROW, style);
  }
  context = screen;
}

// Each piece with a scale.
function printTime(style) {
  const screen = timeContext;
  for (let row = 0; row < lanes.length; row += PIECE) {
    const height = SCALE + Math.min(PIECE, lanes.length - row) * LANE;
    timeContext = new Piece(element("time-paper"), height);
    drawLanes(PAPER, row * LANE, height, style);
  }
  timeContext = screen;
}

// What the buttons, which are not printed, tell on a screen.
function tellView() {
  const words = [];
  if (view.of)
    words.push("Only " + element("of").selectedOptions[0].textContent);
  if (view.fn < 0 && view.order === "callers")
    words.push("Inverted: from where time is spent to who called it");
  if (view.search)
    words.push(`Search for \u201c${view.search}\u201d: ${element("matched").textContent}`);
  return words.join(". ");
}

let themeOfScreen;
function takeFromPaper() {
  for (const id of ["paper", "time-paper"])
    element(id).textContent = "";
}
function layOnPaper() {
  const page = document.documentElement;
  themeOfScreen = page.dataset.theme;
  page.dataset.theme = "light";
  takeFromPaper();
  const style = currentStyle();
  printFrames(style);
  if (!timeBox.hidden)
    printTime(style);
  element("paper-view").textContent = tellView();
  fillTable(PAPER_FUNCTIONS);
}
function backToScreen() {
  takeFromPaper();
  if (themeOfScreen)
    document.documentElement.dataset.theme = themeOfScreen;
  else
    delete document.documentElement.dataset.theme;
  fillTable();
  draw();
}

function listenToPrinter() {
  window.addEventListener("beforeprint", layOnPaper);
  window.addEventListener("afterprint", backToScreen);
}
