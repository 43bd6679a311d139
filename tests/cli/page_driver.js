// page_driver.js - somebody who uses a page of profrun in a real browser: clicks and key
// presses go through Chromium's input, over its debugging pipe.
//
// node page_driver.js CHROMIUM PAGE STEPS [PICTURE]: STEPS is a file of lines "click X
// Y", "double X Y", "key NAME", "type TEXT", "press SELECTOR" (a click on an element),
// "wait", "see SELECTOR TEXT" (its text has TEXT), "hash TEXT" (the address has it after
// #; "-": nothing), "hidden SELECTOR", "picture FILE", "hover X Y", "point SELECTOR X Y"
// and "drag SELECTOR X1 Y1 X2 Y2" (within an element), "choose SELECTOR TEXT" (the
// option that has TEXT), "lacks SELECTOR TEXT", "size WIDTH HEIGHT", "save SELECTOR
// FILE" (its text), "print FILE" (to PDF), "printed TEXT" (whole, on that paper), "faded
// OPACITY" (of some frame there), "focus SELECTOR", "exists SELECTOR", "times N STEP",
// "scroll SELECTOR PIXELS" (from above), "go TEXT" (the address with TEXT after #).  Y <
// 0 counts from below, in the flame graph; "middle" is a row's that is brought in sight.
// Ends with 0 if all was as it should be.
"use strict";
const { spawn } = require("child_process");
const fs = require("fs");

const [, , chromium, page, stepsFile] = process.argv;
const browser = spawn(chromium, [
  "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
  "--window-size=1280,800", "--hide-scrollbars", "--remote-debugging-pipe",
  `--user-data-dir=${process.cwd()}/browser`, "about:blank",
], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });

// --- The pipe: JSON, each message ended by a NUL

let number = 0, session;
const answers = new Map(), complaints = [];
function send(method, params = {}) {
  return new Promise((resolve, reject) => {
    answers.set(++number, { resolve, reject });
    browser.stdio[3].write(JSON.stringify({ id: number, method, params, sessionId: session }) + "\0");
  });
}
function hear(message) {
  if (message.id && answers.has(message.id)) {
    const { resolve, reject } = answers.get(message.id);
    answers.delete(message.id);
    if (message.error)
      reject(new Error(message.error.message));
    else
      resolve(message.result);
  } else if (message.method === "Page.javascriptDialogOpening") {
    complaints.push("the page opens a dialog: a name has run as a program");
    send("Page.handleJavaScriptDialog", { accept: true });
  } else if (message.method === "Runtime.exceptionThrown") {
    complaints.push(message.params.exceptionDetails.exception?.description ?? "exception");
  } else if (message.method === "Network.requestWillBeSent" && !message.params.request.url.startsWith("file:")) {
    complaints.push("the page asks for " + message.params.request.url);
  }
}
let heard = "";
browser.stdio[4].setEncoding("utf8");
browser.stdio[4].on("data", (text) => {
  heard += text;
  for (let at; (at = heard.indexOf("\0")) >= 0; heard = heard.slice(at + 1))
    hear(JSON.parse(heard.slice(0, at)));
});

// --- What a user does

async function value(expression) {
  const { result, exceptionDetails } = await send("Runtime.evaluate", { expression, returnByValue: true });
  if (exceptionDetails)
    throw new Error(exceptionDetails.text + ": " + expression);
  return result.value;
}
async function click(x, y, count = 1) {
  await send("Input.dispatchMouseEvent", { type: "mouseMoved", x, y });
  for (let n = 1; n <= count; n++)
    for (const type of ["mousePressed", "mouseReleased"])
      await send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: n });
}
const box = (selector) => value(`(() => { const b = document.querySelector(${JSON.stringify(selector)})
  .getBoundingClientRect(); return [b.left, b.top, b.width, b.height]; })()`);
async function placeInGraph(x, y) {
  const [left, top, , height] = await box("#canvas");
  if (y === "middle")
    return [left + Number(x), top + height / 2 + 1];
  return [left + Number(x), y.startsWith("-") ? top + height + Number(y) : top + Number(y)];
}
async function drag([selector, ...places]) {
  const [left, top] = await box(selector);
  const [x1, y1, x2, y2] = places.map((place, i) => Number(place) + (i % 2 ? top : left));
  const mouse = (type, x, y) => send("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons: 1, clickCount: 1 });
  await mouse("mousePressed", x1, y1);
  await mouse("mouseMoved", (x1 + x2) / 2, y1);
  await mouse("mouseMoved", x2, y2);
  await mouse("mouseReleased", x2, y2);
}
async function choose([selector, ...words]) {
  const found = await value(`(() => { const select = document.querySelector(${JSON.stringify(selector)});
    const option = [...select.options].find((one) => one.text.includes(${JSON.stringify(words.join(" "))}));
    if (!option) return false;
    select.value = option.value; select.dispatchEvent(new Event("change")); return true; })()`);
  if (!found)
    complaints.push(`${selector} has no choice "${words.join(" ")}"`);
}
const textOf = (selector) => value(`document.querySelector(${JSON.stringify(selector)}).innerText`);
const codes = { Escape: 27, Enter: 13, ArrowUp: 38, ArrowDown: 40, ArrowLeft: 37, ArrowRight: 39 };
async function key(name) {
  const text = name.length === 1 ? name : undefined;
  const code = codes[name] ?? name.toUpperCase().charCodeAt(0);
  await send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", key: name, text,
                                         windowsVirtualKeyCode: code });
  await send("Input.dispatchKeyEvent", { type: "keyUp", key: name, windowsVirtualKeyCode: code });
}

const steps = {
  click: async ([x, y]) => click(...await placeInGraph(x, y), 1),
  double: async ([x, y]) => click(...await placeInGraph(x, y), 2),
  hover: async ([x, y]) => {
    const [left, top] = await placeInGraph(x, y);
    await send("Input.dispatchMouseEvent", { type: "mouseMoved", x: left, y: top });
  },
  point: async ([selector, x, y]) => {
    const [left, top] = await box(selector);
    await send("Input.dispatchMouseEvent", { type: "mouseMoved", x: left + Number(x), y: top + Number(y) });
  },
  drag,
  choose,
  size: ([width, height]) => send("Emulation.setDeviceMetricsOverride",
    { width: Number(width), height: Number(height), deviceScaleFactor: 1, mobile: false }),
  key: ([name]) => key(name),
  scroll: ([selector, pixels]) => value(`document.querySelector(${JSON.stringify(selector)}).scrollTop = ${Number(pixels)}`),
  go: async (words) => {
    // The page hears of it before the next frame is drawn.
    await value(`window.gone = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
      location.hash = ${JSON.stringify(words.join(" "))}; 0`);
    await send("Runtime.evaluate", { expression: "window.gone", awaitPromise: true });
  },
  times: async ([n, name, ...words]) => {
    for (; n > 0; n--)
      await steps[name](words);
  },
  type: (words) => send("Input.insertText", { text: words.join(" ") }),
  press: async (words) => {
    const [left, top, width, height] = await box(words.join(" "));
    await click(left + width / 2, top + height / 2);
  },
  see: async ([selector, ...words]) => {
    const text = await textOf(selector);
    if (!text.includes(words.join(" ")))
      complaints.push(`${selector} is "${text}", without "${words.join(" ")}"`);
  },
  lacks: async ([selector, ...words]) => {
    const text = await textOf(selector);
    if (text.includes(words.join(" ")))
      complaints.push(`${selector} is "${text}", with "${words.join(" ")}"`);
  },
  save: async ([selector, path]) => fs.writeFileSync(path, await textOf(selector)),
  hidden: async (words) => {
    if (!await value(`document.querySelector(${JSON.stringify(words.join(" "))}).hidden`))
      complaints.push(`${words.join(" ")} is shown`);
  },
  exists: async (words) => {
    if (!await value(`document.querySelectorAll(${JSON.stringify(words.join(" "))}).length`))
      complaints.push(`there is no ${words.join(" ")}`);
  },
  hash: async ([text]) => {
    // It is changed when the view has stayed for a moment.
    const isRight = (hash) => text === "-" ? !hash : hash.includes(text);
    let hash;
    for (let n = 0; n < 10 && (!n || !isRight(hash)); n++) {
      await new Promise((resolve) => setTimeout(resolve, 400));
      hash = await value("location.hash");
    }
    if (!isRight(hash))
      complaints.push(`the address has "${hash}", not "${text}"`);
  },
  print: async ([file]) => {
    await value(`window.printed = [];
      matchMedia("print").addEventListener("change", () => {
        const bottom = (one) => one.getBoundingClientRect().bottom;
        window.printed = [...document.querySelectorAll("svg text")]
          .filter((text) => text.getBoundingClientRect().height > 0 && bottom(text) <= bottom(text.ownerSVGElement) + 1)
          .map((text) => text.textContent);
        window.faded = [...document.querySelectorAll("#paper rect[opacity]")].map((one) => one.getAttribute("opacity"));
        window.wrongColours = document.querySelectorAll("[fill*=NaN]").length;
      }, { once: true })`);
    const { data } = await send("Page.printToPDF");
    fs.writeFileSync(file, Buffer.from(data, "base64"));
    if (await value("window.wrongColours"))
      complaints.push("a shape on paper has no colour");
  },
  printed: async (words) => {
    const texts = await value("window.printed");
    if (!texts.includes(words.join(" ")))
      complaints.push(`on paper are ${texts.join(", ")}`);
  },
  faded: async ([opacity]) => {
    const found = await value("window.faded");
    if (!found.includes(opacity))
      complaints.push(`frames on paper have an opacity of ${[...new Set(found)].join(", ") || "1"}`);
  },
  focus: (words) => value(`document.querySelector(${JSON.stringify(words.join(" "))}).focus()`),
  picture: async ([file]) => {
    const { data } = await send("Page.captureScreenshot", { format: "png" });
    fs.writeFileSync(file, Buffer.from(data, "base64"));
  },
};

async function main() {
  const { targetInfos } = await send("Target.getTargets");
  const target = targetInfos.find((info) => info.type === "page");
  session = (await send("Target.attachToTarget", { targetId: target.targetId, flatten: true })).sessionId;
  for (const domain of ["Page", "Runtime", "Network"])
    await send(domain + ".enable");
  await send("Emulation.setDeviceMetricsOverride", { width: 1280, height: 800, deviceScaleFactor: 1, mobile: false });
  // As in browsers that refuse to change the address very often.
  await send("Page.addScriptToEvaluateOnNewDocument", { source: `{
    const replace = history.replaceState, calls = [];
    history.replaceState = function (...words) {
      calls.push(performance.now());
      if (calls.length > 10 && calls.at(-1) - calls.at(-11) < 1000)
        throw new DOMException("too often", "SecurityError");
      replace.apply(this, words);
    };
  }` });
  await send("Page.navigate", { url: "file://" + page });
  for (let n = 0; await value("document.readyState") !== "complete"; n++)
    if (n > 600)
      throw new Error("the page is not loaded in a minute");
    else
      await new Promise((resolve) => setTimeout(resolve, 100));
  for (const line of fs.readFileSync(stepsFile, "utf8").split("\n")) {
    const [name, ...words] = line.split(" ");
    if (!name || name === "#")
      continue;
    const before = complaints.length;
    await steps[name](words);
    await send("Runtime.evaluate", { expression: "new Promise((r) => requestAnimationFrame(() => r()))", awaitPromise: true });
    for (let i = before; i < complaints.length; i++)
      console.log(`${line}: ${complaints[i]}`);
  }
}

// What the browser leaves behind is complete when its pipe is closed by all of it.
function end(status) {
  browser.on("close", () => process.exit(status));
  browser.kill("SIGKILL");
}
main().then(() => end(complaints.length ? 1 : 0), (error) => { console.log(String(error)); end(1); });
