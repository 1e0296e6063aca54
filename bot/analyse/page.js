"use strict";
const start = JSON.parse(document.getElementById("data").textContent);
const by = (id) => document.getElementById(id);
const board = by("board");
const BRUSHES = [["", "explains it"], [".", "hidden"], ["F", "flag"], ..."012345678".split("").map((digit) => [digit, digit])];
const WORDS = { ".": "hidden", "F": "flag", "?": "question mark", "*": "mine", "!": "exploded mine", "x": "wrong flag",
  "-": "hidden, known safe", "~": "unknown" };
const SIGNS = { "F": "⚑", "*": "✱", "!": "✱", "x": "✗", "?": "?", "~": "~" };
const STATES = "012345678.F?*-~";
const LEAST = 24; // pixels of a cell; wider boards are scrolled
let now = null; // the analysis of the shown board
let past = []; // texts of earlier boards
let before = null; // text without the assumptions
let assumed = new Set(), chosen = -1, clues = new Set(), news = new Set(), steps = null, step = 0, asked = 0;
let places = []; // the elements of the cells

const make = (tag, text = "", kind = "") => {
  const made = document.createElement(tag);
  made.textContent = renamed(text);
  if (kind) made.className = kind;
  return made;
};
const name = (k) => cellName(Math.floor(k / now.columns), k % now.columns);
const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
const isOpen = (letter) => letter >= "0" && letter <= "8";
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

async function ask(path, body) {
  const reply = await fetch(path, { method: "POST", headers: { "X-Sapper-Token": start.token }, body });
  const answer = await reply.json();
  if (!reply.ok) throw new Error(answer.error);
  return answer;
}

function fail(error) {
  by("headline").textContent = error instanceof TypeError ? "Sapper has ended: start 'sapper analyse' again." : renamed(error.message);
  by("headline").className = "is-mine";
}

function textOf(cells, mines = now.mines, columns = now.columns, variant = now.variant) {
  const lines = mines === null ? [] : [`mines ${mines}`];
  if (variant !== "plain") lines.push(`variant ${variant}`);
  for (let k = 0; k < cells.length; k += columns) lines.push(cells.slice(k, k + columns));
  return lines.join("\n");
}

// Analyse board text or a file, and show it. Answers that arrive after a newer request are dropped.
async function show(body, remember = true) {
  const mine = ++asked;
  try {
    const found = await ask("/analysis", body);
    if (mine !== asked) return;
    if (now && remember && found.text !== now.text) past.push(now.text);
    const isSame = now && now.rows === found.rows && now.columns === found.columns;
    now = found; clues = new Set(); news = new Set(); steps = null; step = 0;
    if (!isSame) { chosen = -1; assumed = new Set(); before = null; build(); centre(); }
    by("columns").value = now.columns; by("rows").value = now.rows; by("mines").value = now.mines ?? "";
    by("text").value = now.text;
    tell();
    if (chosen >= 0 && !isOpen(now.cells[chosen])) await explain(chosen);
    document.body.dataset.analysed = now.text;
  } catch (error) { fail(error); }
}

function build() {
  board.replaceChildren();
  places = [];
  const room = by("pane").clientWidth - 24;
  board.style.setProperty("--cell", `${Math.max(LEAST, Math.min(46, Math.floor(room / now.columns) - 1))}px`);
  board.style.gridTemplateColumns = `repeat(${now.columns + 1}, auto)`;
  const top = rowOf("");
  top.firstChild.setAttribute("role", "gridcell");
  for (let c = 0; c < now.columns; c++) top.append(labelled("columnheader", columnName(c)));
  for (let r = 0; r < now.rows; r++) {
    const row = rowOf(rowName(r));
    for (let c = 0; c < now.columns; c++) {
      const cell = make("div", "", "cell");
      cell.tabIndex = r + c ? -1 : 0;
      cell.setAttribute("role", "gridcell");
      cell.dataset.cell = r * now.columns + c;
      row.append(cell);
      places.push(cell);
    }
  }
}

function labelled(role, text) {
  const made = make("span", String(text), "label");
  made.setAttribute("role", role);
  return made;
}

function rowOf(label) {
  const row = make("div", "", "row");
  row.setAttribute("role", "row");
  row.append(labelled("rowheader", label));
  row.firstChild.classList.add("side");
  board.append(row);
  return row;
}

// Scroll a wide board to the cells that matter.
function centre() {
  const first = now.safe?.[0] ?? now.guesses?.[0]?.cell ?? now.mine?.[0];
  if (first !== undefined && !now.apart.includes(first)) by("pane").scrollLeft = places[first].offsetLeft - board.offsetLeft - by("pane").clientWidth / 2;
}

const cellAt = (k) => places[k];

function draw() {
  const safe = new Set(now.safe), mine = new Set(now.mine), wrong = new Set(now.wrong), risks = new Map(now.risks), apart = new Set(now.apart);
  const best = !now.safe?.length && now.guesses?.length ? now.guesses[0].cell : -1;
  for (let k = 0; k < now.cells.length; k++) {
    const letter = now.cells[k], cell = cellAt(k), kinds = ["cell"], said = [name(k), WORDS[letter] ?? letter];
    let sign = letter === "0" || letter === "." || letter === "-" ? "" : SIGNS[letter] ?? letter;
    cell.style.background = "";
    if (isOpen(letter)) kinds.push(`n${letter}`);
    else kinds.push("closed");
    if (wrong.has(k)) { kinds.push("wrong"); said.push("this flag is wrong"); sign = "✗"; }
    else if (safe.has(k)) { kinds.push("safe"); said.push("certainly safe"); sign = "✓"; }
    else if (mine.has(k)) { kinds.push("mine"); said.push("certainly a mine"); if (!sign) sign = "✱"; }
    else if (risks.has(k)) {
      const risk = risks.get(k);
      const whole = Math.round(100 * risk);
      said.push(`a mine with ${whole} %`);
      if (!apart.has(k) || k === best) { // the others have the same risk, which the page names once
        kinds.push("risk");
        if (letter === "." || letter === "-") sign = whole;
        cell.style.background = `hsl(${Math.round(52 * (1 - risk))} 90% ${Math.round(90 - 22 * risk)}%)`;
      }
    }
    if (k === best) { kinds.push("best"); said.push("best guess"); }
    if (assumed.has(k)) { kinds.push("assumed"); said.push("assumed"); }
    if (clues.has(k)) { kinds.push("clue"); said.push("a clue of the reason"); }
    if (news.has(k)) { kinds.push("news"); said.push("this step"); }
    if (k === chosen) kinds.push("chosen");
    cell.className = kinds.join(" ");
    cell.textContent = sign;
    cell.setAttribute("aria-label", said.join(", "));
  }
}

function tell() {
  const head = by("headline"), list = by("guesses");
  head.className = now.contradiction ? "is-mine" : "";
  list.replaceChildren();
  clues = new Set(now.contradiction ? now.clues : []);
  if (now.contradiction) head.textContent = renamed(now.contradiction);
  else if (now.safe.length || (now.mine.length && !now.guesses.length))
    head.textContent = `Certain: ${plural(now.safe.length, "safe cell")}, ${plural(now.mine.length, "mine")}.`;
  else if (now.guesses.length)
    head.textContent = `No cell is certainly safe: a guess is needed.${now.mine.length ? ` Certain: ${plural(now.mine.length, "mine")}.` : ""}`;
  else head.textContent = "Nothing is left to decide.";
  const apart = now.risks?.find(([k]) => now.apart.includes(k));
  by("facts").hidden = !apart;
  if (apart) by("facts").textContent = `Mine risks in per cent; cells away from all numbers: ${percent(apart[1])}${now.mines === null ? ", because the mine total is unknown" : ""}.`;
  if (now.wrong?.length) head.textContent += ` ${plural(now.wrong.length, "wrong flag")}.`;
  if (now.safe?.length) list.append(make("p", "No guess is needed: open a safe cell.", "soft"));
  else if (now.guesses?.length) {
    const best = now.guesses[0];
    const items = make("ol");
    for (const guess of now.guesses) {
      const item = make("li"), go = make("button", name(guess.cell));
      go.type = "button"; go.onclick = () => choose(guess.cell);
      if (guess === best) item.append(go, make("span", ` ${guess.text}`, "is-safe"));
      else item.append(go, make("span", ` ${percent(guess.safe)} safe. `), make("span", guess.why, "soft"));
      items.append(item);
    }
    list.append(items);
  } else list.append(make("p", "There is nothing to guess.", "soft"));
  for (const remark of now.remarks ?? []) list.append(make("p", remark, "soft"));
  by("why").replaceChildren(make("p", "Choose a cell that is not open."));
  by("lesson").replaceChildren();
  by("undo").disabled = !past.length;
  by("drop").hidden = !assumed.size;
  draw();
}

function grid(cells, columns, kinds = () => "") {
  const made = make("div", "", "grid");
  made.style.setProperty("--columns", columns);
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", textOf(cells, null, columns, "plain"));
  [...cells].forEach((letter, k) => made.append(make("span", letter === "0" || letter === "." || letter === "-" ? "" : SIGNS[letter] ?? letter,
    `cell ${isOpen(letter) ? "n" + letter : "closed"} ${kinds(k)}`)));
  return made;
}

async function explain(k) {
  const why = by("why");
  const found = await ask("/reason", JSON.stringify({ board: now.text, cell: k }));
  if (k !== chosen) return;
  why.replaceChildren();
  clues = new Set(found.clues ?? []); news = new Set();
  if (found.sentences) {
    const line = make("p");
    line.append(make("span", `${found.answer} is ${found.mine ? "a mine" : "safe"}`, found.mine ? "is-mine" : "is-safe"),
      make("span", ` (${found.rule}). Clues: ${found.because.join(", ")}.`));
    const list = make("ol");
    for (const sentence of found.sentences) list.append(make("li", sentence));
    why.append(line, list);
  } else if (found.layouts) {
    why.append(make("p", `${name(k)} is undecided: it can be a mine, and it can be safe.`));
    const both = make("div", "", "layouts");
    found.layouts.forEach((cells, place) => {
      const one = make("div", place ? "safe:" : "a mine:", "soft");
      one.append(make("br"), grid(cells, now.columns, (cell) => cell === k ? "chosen" : ""));
      both.append(one);
    });
    why.append(both);
  } else why.append(make("p", found.status === "number" ? `${name(k)} is open.` : `${name(k)} is undecided: there are too many layouts to try.`));
  draw();
  if (matchMedia("(max-width: 860px)").matches) why.parentElement.scrollIntoView({ block: "nearest" });
}

function choose(k) {
  chosen = k;
  for (const cell of board.querySelectorAll('[tabindex="0"]')) cell.tabIndex = -1;
  cellAt(k).tabIndex = 0;
  cellAt(k).scrollIntoView({ block: "nearest", inline: "nearest" });
  if (isOpen(now.cells[k])) {
    clues = new Set(); news = new Set(); draw();
    by("why").replaceChildren(make("p", `${name(k)} is open and shows ${now.cells[k]}. Choose a cell that is not open.`));
  } else if (!now.contradiction) explain(k).catch(fail);
}

function set(k, letter) {
  if (now.cells[k] === letter) return Promise.resolve();
  if (by("assuming").checked) { before ??= now.text; assumed.add(k); }
  chosen = k;
  const cells = now.cells.slice(0, k) + letter + now.cells.slice(k + 1);
  past.push(now.text);
  now = { ...now, cells, text: textOf(cells) }; // shown at once; the analysis follows
  cellAt(k).textContent = letter === "." ? "" : SIGNS[letter] ?? letter;
  return show(now.text, false);
}

const brush = () => document.querySelector("#brushes input:checked").value;

function keys(event) {
  if ((event.ctrlKey || event.metaKey) && event.key === "z" && event.target !== by("text")) { event.preventDefault(); by("undo").click(); return; }
  if (!board.contains(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  const k = +event.target.dataset.cell, r = Math.floor(k / now.columns), c = k % now.columns;
  const move = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
  if (move) {
    const to = Math.max(0, Math.min(now.rows - 1, r + move[0])) * now.columns + Math.max(0, Math.min(now.columns - 1, c + move[1]));
    cellAt(k).tabIndex = -1; cellAt(to).tabIndex = 0; cellAt(to).focus();
  } else if (event.key === "Enter" || event.key === " ") choose(k);
  else {
    const letter = { f: "F", Delete: ".", Backspace: "." }[event.key] ?? event.key;
    if (letter.length !== 1 || !STATES.includes(letter)) return;
    set(k, letter);
  }
  event.preventDefault();
}

async function walk(change) {
  try {
    const text = now.text;
    steps ??= await ask("/lesson", text);
    if (text !== now.text) return;
    step = Math.max(0, Math.min(steps.length, step + change));
    const list = make("ol");
    for (const each of steps.slice(0, step)) {
      const item = make("li");
      item.append(make("span", each.text), make("span", ` (${each.rule})`, "soft"));
      list.append(item);
    }
    const last = step === steps.length;
    by("lesson").replaceChildren(list, make("p", !steps.length ? "Nothing is certain." : last ? "Nothing more is certain." : `Step ${step} of ${steps.length}.`, "soft"));
    clues = new Set(step ? steps[step - 1].clues : []);
    news = new Set(step ? steps[step - 1].cells : []);
    chosen = -1;
    draw();
    by("lesson").scrollIntoView({ block: "nearest" });
  } catch (error) { fail(error); }
}

async function quiz(event) {
  event.preventDefault();
  const sheet = by("sheet"), wanted = { needs: by("needs").value, count: +by("count").value, columns: 9, rows: 9, mines: 12 };
  by("headline").textContent = "Making the quiz …";
  try {
    const questions = await ask("/quiz", JSON.stringify(wanted));
    const print = make("button", "Print"), answers = make("div", "", "answers");
    print.type = "button"; print.onclick = () => window.print();
    answers.append(make("h2", "Answers"));
    sheet.replaceChildren(make("h2", "Which cell is certain, and why?"), print, make("br"));
    questions.forEach((each, place) => {
      const cells = each.text.split("\n").filter((line) => !line.includes(" ")).join("");
      for (const [where, kinds] of [[sheet, () => ""], [answers, (k) => k === each.cell ? (each.mine ? "mine" : "safe") : each.clues.includes(k) ? "clue" : ""]]) {
        const one = make("div", "", "question");
        one.append(make("p", `${place + 1}. ${where === sheet ? `${wanted.mines} mines` : `${each.answer} is ${each.mine ? "a mine" : "safe"}`}`), grid(cells, each.columns, kinds));
        if (where === answers) for (const sentence of each.sentences) one.append(make("p", sentence, "soft"));
        where.append(one);
      }
    });
    sheet.append(answers);
    sheet.hidden = false;
    sheet.scrollIntoView();
    by("headline").textContent = `${plural(questions.length, "question")}: print the page, or read on below.`;
  } catch (error) { fail(error); }
}

function begin() {
  for (const [letter, label] of BRUSHES) {
    const choice = make("label"), input = make("input"), sign = make("span", label);
    Object.assign(input, { type: "radio", name: "brush", value: letter, checked: !letter });
    choice.append(input, sign); by("brushes").append(choice);
  }
  for (const each of start.strategies) by("needs").append(make("option", each));
  board.addEventListener("click", (event) => {
    const cell = event.target.closest("[data-cell]");
    if (cell) brush() ? set(+cell.dataset.cell, brush()) : choose(+cell.dataset.cell);
  });
  board.addEventListener("contextmenu", (event) => {
    const cell = event.target.closest("[data-cell]");
    if (!cell) return;
    event.preventDefault();
    set(+cell.dataset.cell, now.cells[+cell.dataset.cell] === "F" ? "." : "F");
  });
  document.addEventListener("keydown", keys);
  by("new").addEventListener("submit", (event) => {
    event.preventDefault();
    const columns = +by("columns").value, mines = by("mines").value === "" ? null : +by("mines").value;
    const size = columns * by("rows").value;
    const cells = now && size === now.cells.length && columns === now.columns && mines !== now.mines ? now.cells : ".".repeat(size);
    assumed = new Set(); before = null;
    show(textOf(cells, mines, columns, "plain"));
  });
  by("undo").onclick = () => { if (past.length) { assumed = new Set(); before = null; show(past.pop(), false); } };
  by("drop").onclick = () => { const text = before; assumed = new Set(); before = null; by("assuming").checked = false; show(text); };
  by("file").addEventListener("change", () => { if (by("file").files.length) show(by("file").files[0]); by("file").value = ""; });
  by("load").onclick = () => show(by("text").value);
  by("copy").onclick = async () => {
    by("text").select();
    try { await navigator.clipboard.writeText(by("text").value); by("copy").textContent = "Copied"; } catch { by("copy").textContent = "Press Ctrl+C"; }
    setTimeout(() => { by("copy").textContent = "Copy"; }, 1500);
  };
  by("back").onclick = () => walk(-1); by("on").onclick = () => walk(1);
  by("quiz").addEventListener("submit", quiz);
  document.addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dragging"); });
  document.addEventListener("dragleave", () => document.body.classList.remove("dragging"));
  document.addEventListener("drop", (event) => {
    event.preventDefault(); document.body.classList.remove("dragging");
    if (event.dataTransfer.files.length) show(event.dataTransfer.files[0]);
  });
  document.addEventListener("paste", (event) => {
    const [file] = event.clipboardData.files;
    if (file) { event.preventDefault(); show(file); }
  });
  window.addEventListener("resize", () => { if (now) { build(); draw(); } });
  show(start.board).then(() => { document.body.dataset.ready = Math.round(performance.now()); });
}
begin();
