// Cells in the coordinates of the reader, as in bot/show/coordinates.py; data and element names keep r0c0.
const coordinates = JSON.parse(document.getElementById("data").textContent).coordinates;
const columnLabel = (c) => (c >= 26 ? columnLabel(Math.floor(c / 26) - 1) : "") + String.fromCharCode(65 + c % 26);
const columnName = (c) => coordinates === "A1" ? columnLabel(c) : coordinates === "R1C1" ? c + 1 : c;
const rowName = (r) => coordinates === "r0c0" ? r : r + 1;
const cellName = (r, c) => coordinates === "A1" ? columnName(c) + rowName(r) : coordinates === "R1C1" ? `R${rowName(r)}C${columnName(c)}` : `r${r}c${c}`;
const renamed = (text) => text.replace(/(?<![\w./\\])r(\d{1,4})c(\d{1,4})(?![\w/\\]|\.\w)/g, (_, r, c) => cellName(+r, +c));
