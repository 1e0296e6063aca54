"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const cells = new Map([...document.querySelectorAll("td[data-cell]")].map((td) => [Number(td.dataset.cell), td]));
const line = document.getElementById("line"), said = document.getElementById("said"), why = document.getElementById("why");
const last = data.steps.length - 1;
let chosen = null;

function show(number) {
  const step = data.steps[number];
  line.value = number;
  line.setAttribute("aria-valuetext", step.name);
  said.replaceChildren(bold(`${step.name}: ${step.text}`), document.createElement("br"), step.news);
  document.getElementById("solution").textContent = step.solution;
  for (const [cell, td] of cells) {
    const state = { h: "has", l: "lacks", o: "open" }[step.states[cell]];
    td.className = [state, step.fresh.includes(cell) ? "new" : "", cell === chosen ? "chosen" : ""].join(" ").trim();
    const shown = String(mark(step, number, cell));
    td.firstElementChild.textContent = shown;
    td.firstElementChild.setAttribute("aria-label", `${data.names[cell]}: ${state}${/\d/.test(shown) ? `, ${shown}` : ""}`);
  }
  document.querySelectorAll("#known th").forEach((th, k) => { if (k) th.textContent = step.known[k - 1]; });
  if (chosen !== null) explain(number);
}

function mark(step, number, cell) {
  const odds = number === last ? data.odds[cell] : undefined;
  return odds === undefined ? step.marks[cell] : odds;
}

function explain(number) {
  const proof = data.proofs[chosen], since = proof ? proof.step : Infinity;
  const heading = document.createElement("h2");
  heading.textContent = proof && since <= number ? proof.said : `${data.names[chosen]}: open`;
  const parts = [heading];
  if (proof && since <= number) {
    const list = document.createElement("ol");
    for (const sentence of proof.sentences) list.append(linked(sentence));
    parts.push(list);
  } else {
    const text = document.createElement("p");
    text.textContent = proof ? `It follows with ${data.steps[since].name}.` : "It can be so, and it can be otherwise.";
    if (proof) text.append(" ", jump(since, "Go there"));
    parts.push(text);
  }
  why.replaceChildren(...parts);
}

function linked(sentence) {
  const item = document.createElement("li");
  for (const part of sentence.split(/(\b(?:line|entry|statement) \d+)/i)) {
    const step = data.steps.findIndex((each) => each.name.toLowerCase() === part.toLowerCase());
    item.append(step < 0 ? part : jump(step, part));
  }
  return item;
}

function jump(step, text) {
  const link = document.createElement("a");
  link.href = "#line";
  link.textContent = text;
  link.addEventListener("click", (event) => { event.preventDefault(); show(step); });
  return link;
}

function bold(text) {
  const element = document.createElement("b");
  element.textContent = text;
  return element;
}

function go(by) {
  show(Math.min(last, Math.max(0, Number(line.value) + by)));
}

if (last >= 0) {
  line.max = last;
  line.addEventListener("input", () => show(Number(line.value)));
  document.getElementById("back").addEventListener("click", () => go(-1));
  document.getElementById("on").addEventListener("click", () => go(1));
  for (const [cell, td] of cells) td.firstElementChild.addEventListener("click", () => { chosen = cell; show(Number(line.value)); });
  document.addEventListener("keydown", (event) => {
    if (event.target === line || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowLeft") go(-1);
    if (event.key === "ArrowRight") go(1);
  });
  show(last);
} else {
  document.querySelector(".steps").hidden = true;
}
document.body.dataset.ready = 1;
