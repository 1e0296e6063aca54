"use strict";
const game = JSON.parse(document.getElementById("data").textContent);
const by = (id) => document.getElementById(id);
const canvas = by("picture"), tip = by("tip"), slider = by("slider"), board = by("board");
const ink = canvas.getContext("2d");
const SHOWN = ["picture", "read", "certain", "moves", "flags", "risk"];
const cells = game.rows * game.columns;
// Small cells are drawn larger, so that marks and figures can be read.
const cellWidth = (game.xs[game.columns] - game.xs[0]) / game.columns;
const zoom = Math.max(1, Math.min(3, Math.ceil(36 / cellWidth)));
const screen = document.createElement("canvas"); // the board as it was seen at `painted`
const pencil = screen.getContext("2d");
let shrink = 1; // pixels on the screen for one of the canvas
let now = 0, painted = -1, cursor = -1, lit = new Set(), timer = 0;
let first, atlas;

const name = (k) => cellName(Math.floor(k / game.columns), k % game.columns);
const cellOf = (text) => { const m = /^r(\d+)c(\d+)$/.exec(text); return m ? m[1] * game.columns + +m[2] : -1; };
const box = (k) => {
  const r = Math.floor(k / game.columns), c = k % game.columns;
  return [game.xs[c], game.ys[r], game.xs[c + 1] - game.xs[c], game.ys[r + 1] - game.ys[r]];
};
const percent = (share) => (100 * share).toFixed(1) + " %";
const riskOf = (step, k) => {
  const code = step.risk.slice(2 * k, 2 * k + 2);
  return code && code !== "zz" ? parseInt(code, 16) / 254 : null;
};
const GUESSES = ["guess", "unnecessary guess", "mistake"]; // moves that could have lost
const LEAST = 22; // pixels of a cell on the screen, so that a risk can be read in it; wider boards are scrolled
const judgedAs = (step, kinds) => step.judged.filter((one) => kinds.includes(one.kind));
const isGuess = (step) => Boolean(step.guess) || judgedAs(step, GUESSES).length > 0;
const stepRisk = (step) => Math.max(step.guess ? 1 - step.guess.safe : 0, ...step.judged.map((one) => one.risk || 0));
const isOpen = (letter) => letter >= "0" && letter <= "8";
const WORDS = { ".": "hidden", "F": "a flag", "?": "a question mark", "*": "a mine", "!": "the mine that exploded",
  "x": "a wrong flag", "-": "hidden and safe", "~": "could not be read" };

function paintTo(step) {
  if (step < painted || painted < 0) { pencil.drawImage(first, 0, 0); painted = 0; }
  for (; painted < step; painted++) {
    const shown = game.steps[painted + 1].shown;
    for (let i = 0; i < shown.length; i += 2) {
      const [x, y, w, h] = game.tiles[shown[i + 1]], [left, top] = box(shown[i]);
      pencil.drawImage(atlas, x, y, w, h, left, top, w, h);
    }
  }
}

function mark(k, text, fill, share = 0.6) {
  const [x, y, w, h] = box(k).map((v) => v * zoom);
  ink.font = `700 ${Math.round(h * share)}px system-ui, sans-serif`;
  ink.textAlign = "center"; ink.textBaseline = "middle";
  ink.lineWidth = Math.max(2, h / 9); ink.lineJoin = "round"; ink.strokeStyle = "#ffffffd0";
  ink.strokeText(text, x + w / 2, y + h / 2 + 1); ink.fillStyle = fill; ink.fillText(text, x + w / 2, y + h / 2 + 1);
}

function frameOf(k, colour, width, inset = 1) {
  const [x, y, w, h] = box(k).map((v) => v * zoom);
  ink.strokeStyle = colour; ink.lineWidth = width;
  ink.strokeRect(x + inset + width / 2, y + inset + width / 2, w - 2 * inset - width, h - 2 * inset - width);
}

function draw() {
  const step = game.steps[now], show = Object.fromEntries(SHOWN.map((id) => [id, by("show-" + id).checked]));
  paintTo(now);
  ink.imageSmoothingEnabled = false;
  if (show.picture) ink.drawImage(screen, 0, 0, canvas.width, canvas.height);
  else { ink.fillStyle = "#c9c9c9"; ink.fillRect(0, 0, canvas.width, canvas.height); }
  for (let k = 0; k < cells; k++) {
    const letter = step.read[k], known = step.known[k], risk = riskOf(step, k);
    const [x, y, w, h] = box(k).map((v) => v * zoom);
    if (!show.picture) { ink.fillStyle = isOpen(letter) ? "#e9e9e9" : "#b5b9c0"; ink.fillRect(x + 1, y + 1, w - 2, h - 2); }
    if (show.risk && risk !== null) {
      const high = Math.max(3, h / 6); // a bar, so that the cell keeps its colour
      ink.fillStyle = "#000a"; ink.fillRect(x + 1, y + h - high - 1, w - 2, high);
      ink.fillStyle = `hsl(${Math.round(58 * (1 - Math.min(1, 1.3 * risk)))} 95% 50%)`;
      ink.fillRect(x + 2, y + h - high, Math.max(1, risk * (w - 4)), high - 2);
      const near = isGuess(step) ? (step.guess && k === step.guess.cell) || isBesideClue(step, k) : k === cursor;
      if (near && h >= 30) mark(k, Math.round(100 * risk), "#222", w * shrink < 30 ? 0.55 : 0.42);
    }
    if (show.certain && !isOpen(letter) && (known === "m" || known === "s")) {
      ink.fillStyle = known === "m" ? "#d01f1f66" : "#12a04a66"; ink.fillRect(x, y, w, h);
      frameOf(k, known === "m" ? "#b00000" : "#006b2c", Math.max(1.5, h / 14));
      if (!(show.flags && letter === "F")) mark(k, known === "m" ? "✱" : "✓", known === "m" ? "#b00000" : "#006b2c", 0.55);
    }
    if (show.flags && (letter === "F" || letter === "x")) mark(k, letter === "F" ? "⚑" : "✗", "#b00000", 0.62);
    if (show.read && letter !== "." && letter !== "F") mark(k, letter, "#4b0082", 0.55);
  }
  if (show.moves) for (const move of step.moves) {
    const [kind, where] = move.split(" ");
    ink.setLineDash(step.judged.some((one) => one.inferred && one.cell === cellOf(where)) ? [3, 3] : []);
    frameOf(cellOf(where), step.guess || judgedAs(step, GUESSES).some((one) => one.cell === cellOf(where)) ? "#e07b00" : kind === "open" || kind === "chord" ? "#0050d0" : "#7a00b0", zoom * 2, 0);
    ink.setLineDash([]);
  }
  for (const k of lit) frameOf(k, "#ffb000", zoom * 2, 0);
  if (cursor >= 0) { frameOf(cursor, "#fff", 4, 0); frameOf(cursor, "#000", 2, 1); }
}

function isBesideClue(step, k) {
  const r = Math.floor(k / game.columns), c = k % game.columns;
  for (let i = Math.max(0, r - 1); i <= Math.min(game.rows - 1, r + 1); i++)
    for (let j = Math.max(0, c - 1); j <= Math.min(game.columns - 1, c + 1); j++)
      if (isOpen(step.read[i * game.columns + j])) return true;
  return false;
}

function about(k) {
  const step = game.steps[now], letter = step.read[k], risk = riskOf(step, k);
  const said = [`${name(k)}: ${isOpen(letter) ? "shows " + letter : WORDS[letter]}.`];
  const why = reasonFor(k);
  if (step.guess && step.guess.cell === k) {
    said.push(`Guessed: ${step.guess.text}.`);
  }
  for (const one of step.judged) if (one.cell === k) said.push(one.text);
  if (!isOpen(letter) && why) said.push(`Certainly ${why.mine ? "a mine" : "safe"}: ${why.rule} (${why.because.join(", ")}).`);
  else if (!isOpen(letter) && step.known[k] !== ".") said.push(step.known[k] === "m" ? "Certainly a mine." : "Certainly safe.");
  else if (risk !== null) said.push(`A mine with ${percent(risk)}.`);
  return renamed(said.join(" "));
}

function reasonFor(k) {
  for (let i = now; i >= 0; i--) {
    const found = game.steps[i].certain.find((c) => c.cell === k);
    if (found) return found;
  }
  return null;
}

const make = (tag, text, kind) => {
  const made = document.createElement(tag);
  if (text) made.textContent = renamed(text);
  if (kind) made.className = kind;
  return made;
};

const saidBy = (what) => what.by ? ` Said by ${what.by}.` : "";  // which strategy

function light(clues) { lit = new Set(clues.map(cellOf).filter((k) => k >= 0)); draw(); }

function tell() {
  const step = game.steps[now], what = by("what");
  const last = step.before + step.moves.length;
  by("where").textContent = `Look ${now + 1} of ${game.steps.length}` + (step.moves.length
    ? `, move${step.moves.length > 1 ? "s" : ""} ${step.before + 1}${step.moves.length > 1 ? " to " + last : ""}` : "");
  by("took").textContent = !game.played ? `at ${step.t.toFixed(2)} s` : `at ${step.t.toFixed(2)} s · reasoning ${step.took[0]} ms · acting ${step.took[1]} ms · waiting ${step.took[2]} ms`;
  what.replaceChildren();
  if (step.guess) {
    what.append(make("h3", "A guess: nothing was certain"));
    const line = make("p");
    line.append(make("span", `${name(step.guess.cell)}, ${step.guess.text}.`, "is-guess"), saidBy(step.guess));
    what.append(line);
    for (const figure of step.guess.figures) what.append(make("p", figure, "because"));
  }
  if (step.judged.length) tellJudged(step, what);
  else if (step.moves.length) what.append(make("h3", "Moves"), make("p", step.moves.join(", ")));
  for (const note of step.notes) what.append(make("p", note, "because"));
  if (step.certain.length) {
    what.append(make("h3", `Certain now: ${step.certain.length}`));
    const list = make("ul");
    for (const c of step.certain) {
      const item = make("li"), more = make("details"), head = make("summary");
      head.append(make("span", `${name(c.cell)} ${c.mine ? "mine" : "safe"}`, c.mine ? "is-mine" : "is-safe"),
        make("span", ` ${c.rule} `), make("span", (c.because.length ? `(${c.because.join(", ")})` : "") + saidBy(c), "because"));
      more.append(head);
      const proof = make("ol");
      for (const sentence of c.proof) proof.append(make("li", sentence));
      if (c.proof.length) more.append(proof);
      const focus = () => { cursor = c.cell; light(c.because); };
      head.addEventListener("focus", focus); head.addEventListener("pointerenter", focus);
      more.addEventListener("toggle", focus);
      item.append(more); list.append(item);
    }
    what.append(list);
  }
  if (!step.moves.length && !step.certain.length && !step.guess) what.append(make("p", now === game.steps.length - 1
    ? by("headline").textContent : "Nothing new was to be seen."));
}

const TONE = { certain: "is-safe", "first click": "", flag: "", guess: "is-guess", "unnecessary guess": "is-guess", mistake: "is-mine", "wrong flag": "is-mine" };
function tellJudged(step, what) {
  what.append(make("h3", "Moves"));
  const list = make("ul");
  for (const one of step.judged) {
    const item = make("li", "", "judged"), head = make("button", name(one.cell), "cell");
    head.type = "button";
    head.onclick = head.onfocus = () => { cursor = one.cell; draw(); };
    item.append(head, make("span", " \u25cf ", TONE[one.kind] ?? "because"), renamed(one.text));
    list.append(item);
  }
  what.append(list);
}

function go(step) {
  now = Math.max(0, Math.min(game.steps.length - 1, step));
  lit = new Set(); slider.value = now;
  slider.setAttribute("aria-valuetext", `look ${now + 1} of ${game.steps.length}`);
  draw(); tell(); pointAt(); bringIntoView();
  if (cursor >= 0) by("cell").textContent = about(cursor);
  history.replaceState(null, "", "#" + (now + 1));
}

function bringIntoView() { // of a board that is wider than the screen: the first move
  const pane = by("pane"), move = game.steps[now].moves[0];
  if (!move || pane.scrollWidth <= pane.clientWidth) return;
  const [x, , w] = box(cellOf(move.split(" ")[1])), scale = canvas.clientWidth / game.size[0];
  pane.scrollLeft = (x + w / 2) * scale - pane.clientWidth / 2;
}

function run(on) {
  clearInterval(timer);
  timer = on && now < game.steps.length - 1 ? setInterval(() => { go(now + 1); if (now === game.steps.length - 1) run(false); }, 450) : 0;
  by("run").textContent = timer ? "pause" : "▶ play";
  by("run").setAttribute("aria-label", timer ? "Pause" : "Play");
}

function nextGuess() {
  const found = game.steps.findIndex((step, i) => i > now && isGuess(step));
  const again = game.steps.findIndex(isGuess);
  if (found >= 0 || again >= 0) go(found >= 0 ? found : again);
}

const svg = by("timeline"), NS = "http://www.w3.org/2000/svg";
function bar(x, y, w, h, kind) {
  const rect = document.createElementNS(NS, "rect");
  for (const [key, value] of Object.entries({ x, y, width: w, height: h, class: kind })) rect.setAttribute(key, value);
  svg.append(rect);
  return rect;
}
let here;
function timeline() {
  const n = game.steps.length, most = Math.max(1, ...game.steps.map((s) => s.took[0] + s.took[1] + s.took[2]));
  const tall = game.played ? 84 : 44;
  svg.setAttribute("viewBox", `0 0 ${n} ${tall}`);
  svg.style.height = tall + "px";
  game.steps.forEach((step, i) => {
    const risk = stepRisk(step);
    if (isGuess(step)) bar(i + 0.1, 42 - 42 * risk, 0.8, Math.max(1.5, 42 * risk), "risk");
    let y = 84;
    if (game.played) ["reason", "act", "wait"].forEach((kind, part) => {
      const h = 38 * step.took[part] / most;
      y -= h; bar(i + 0.1, y, 0.8, h, kind);
    });
  });
  const half = document.createElementNS(NS, "line");
  for (const [key, value] of Object.entries({ x1: 0, x2: n, y1: 43, y2: 43, class: "half" })) half.setAttribute(key, value);
  svg.append(half);
  here = bar(0, 1, 1, tall - 2, "now");
}
function pointAt() { here.setAttribute("x", now); }

function under(event) {
  const area = canvas.getBoundingClientRect();
  const x = (event.clientX - area.left) * game.size[0] / area.width, y = (event.clientY - area.top) * game.size[1] / area.height;
  const c = game.xs.findIndex((line, i) => i && x < line && x >= game.xs[i - 1]) - 1;
  const r = game.ys.findIndex((line, i) => i && y < line && y >= game.ys[i - 1]) - 1;
  return c < 0 || r < 0 ? -1 : r * game.columns + c;
}

// The tooltip goes where it hides neither the cell that it is about nor the clues of its reason.
function placeTip(k) {
  const area = canvas.getBoundingClientRect(), home = tip.offsetParent.getBoundingClientRect();
  const scale = area.width / game.size[0], gap = 8;
  const rect = (cell) => { const [x, y, w, h] = box(cell); return [area.left + x * scale, area.top + y * scale, w * scale, h * scale]; };
  const [x, y, w, h] = rect(k), wide = tip.offsetWidth, high = tip.offsetHeight;
  const spots = [[x, y + h + gap], [x, y - high - gap], [x + w + gap, y], [x - wide - gap, y], [x - wide + w, y + h + gap], [x - wide + w, y - high - gap], [area.left, area.bottom + gap]];
  const hidden = ([left, top]) => {
    let cost = 0;
    if (left < 4 || left + wide > innerWidth - 4) cost += 1e6;
    if (top < 4 || top + high > innerHeight - 4) cost += 1e5;
    for (const cell of [k, ...lit]) {
      const [a, b, c, d] = rect(cell);
      const covered = Math.max(0, Math.min(left + wide, a + c) - Math.max(left, a)) * Math.max(0, Math.min(top + high, b + d) - Math.max(top, b));
      cost += covered * (cell === k ? 1e4 : 10);
    }
    return cost;
  };
  const fitted = spots.flatMap((spot) => [spot, [Math.max(4, Math.min(spot[0], innerWidth - wide - 4)), spot[1]]]);
  const [left, top] = fitted.reduce((best, spot) => (hidden(spot) < hidden(best) ? spot : best));
  tip.style.left = left - home.left + "px";
  tip.style.top = top - home.top + "px";
}

function point(k, event) {
  cursor = k;
  const why = k >= 0 ? reasonFor(k) : null;
  light(why && !isOpen(game.steps[now].read[k]) ? why.because : []);
  tip.hidden = k < 0;
  if (k < 0) return;
  by("cell").textContent = tip.textContent = about(k);
  placeTip(k);
  if (!event) tip.hidden = true; // by keyboard the line below the board tells it
}

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const on = document.activeElement, step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key];
  if (on === board && event.key.startsWith("Arrow")) {
    const k = cursor < 0 ? 0 : cursor, r = Math.floor(k / game.columns), c = k % game.columns;
    const by4 = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    const nr = Math.max(0, Math.min(game.rows - 1, r + by4[0])), nc = Math.max(0, Math.min(game.columns - 1, c + by4[1]));
    point(cursor < 0 ? 0 : nr * game.columns + nc);
  } else if (on === board && event.key === "Escape") point(-1);
  else if (step && on.tagName !== "PRE") go(now + step);
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(game.steps.length - 1);
  else if (event.key === " " && !["BUTTON", "SUMMARY", "INPUT"].includes(on.tagName)) run(!timer);
  else if (event.key === "g") nextGuess();
  else if (event.key >= "1" && event.key <= "6") { by("show-" + SHOWN[event.key - 1]).click(); return; }
  else return;
  event.preventDefault();
}

const load = (source) => new Promise((done, failed) => {
  const image = new Image();
  image.onload = () => done(image); image.onerror = failed; image.src = source;
});

async function begin() {
  [first, atlas] = await Promise.all([load(game.first), load(game.atlas)]);
  [screen.width, screen.height] = game.size;
  [canvas.width, canvas.height] = game.size.map((v) => v * zoom);
  const widest = Math.max(game.size[0], Math.min(game.size[0] * zoom, 860));
  const fit = () => {
    const room = Math.min(by("pane").clientWidth - 6, widest, Math.max(320, 0.62 * innerHeight * game.size[0] / game.size[1]));
    const width = Math.max(room, LEAST * game.columns);
    canvas.style.width = width + "px";
    shrink = width / canvas.width;
  };
  fit();
  window.addEventListener("resize", () => { fit(); draw(); });
  slider.max = game.steps.length - 1;
  for (const key of document.querySelectorAll(".keys .own")) key.hidden = !game.played;
  timeline();
  slider.addEventListener("input", () => go(+slider.value));
  for (const id of SHOWN) by("show-" + id).addEventListener("change", draw);
  by("first").onclick = () => go(0); by("last").onclick = () => go(game.steps.length - 1);
  by("back").onclick = () => go(now - 1); by("on").onclick = () => go(now + 1);
  by("run").onclick = () => run(!timer); by("guess").onclick = nextGuess;
  by("guess").hidden = !game.steps.some(isGuess);
  svg.addEventListener("click", (event) => {
    const area = svg.getBoundingClientRect();
    go(Math.floor((event.clientX - area.left) / area.width * game.steps.length));
  });
  board.addEventListener("pointermove", (event) => { const k = under(event); if (k !== cursor || tip.hidden) point(k, event); });
  board.addEventListener("pointerdown", (event) => point(under(event), event));
  board.addEventListener("pointerleave", () => { tip.hidden = true; });
  document.addEventListener("keydown", keys);
  by("raw").addEventListener("toggle", () => { by("raw").querySelector("pre").textContent = game.events; }, { once: true });
  window.addEventListener("hashchange", () => go(+location.hash.slice(1) - 1 || 0));
  go(+location.hash.slice(1) - 1 || 0);
  document.body.dataset.ready = Math.round(performance.now()); // milliseconds since the page was asked for
}
begin();
