// Brings a record: from a file, dropped or chosen, or pasted. What is wrong with it is shown where it is.

import { answerTo } from "./api.js";

const form = document.getElementById("bring");
const text = document.getElementById("text");
const problem = document.getElementById("problem");

function complain(sentence) {
  problem.textContent = sentence;
  problem.hidden = false;
  text.setAttribute("aria-invalid", "true");
}

function content() {
  problem.hidden = true;
  text.removeAttribute("aria-invalid");
}

// Selects the word at a place; lines and columns are counted from 1.
function pointAt(line, column) {
  const lines = text.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  const rest = (lines[line - 1] ?? "").slice(column - 1);
  const from = Math.min(text.value.length, start + column - 1);
  text.focus();
  text.setSelectionRange(from, from + (rest.match(/^\S+/)?.[0].length ?? 0));
  const height = text.scrollHeight / lines.length;
  text.scrollTop = Math.max(0, (line - 4) * height);
}

async function bring() {
  content();
  try {
    const { id } = await answerTo("/api/replays", { text: text.value });
    location.href = `/replay/${id}`;
  } catch ({ message, found }) {
    complain(message);
    if (found?.line) pointAt(found.line, found.column);
  }
}

async function take(file) {
  if (!file) return;
  if (file.size > 4 * Number(form.dataset.longest)) return complain(form.dataset.large);
  text.value = (await file.text()).replace(/\r\n?/g, "\n");
  await bring();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  bring();
});
text.addEventListener("input", content);
document.getElementById("file").addEventListener("change", (event) => {
  take(event.target.files[0]);
  event.target.value = ""; // so that the same file, mended, can be chosen again
});
for (const kind of ["dragenter", "dragover"])
  document.addEventListener(kind, (event) => {
    if (![...event.dataTransfer.types].includes("Files")) return;
    event.preventDefault();
    form.classList.add("dropping");
  });
document.addEventListener("dragleave", (event) => !event.relatedTarget && form.classList.remove("dropping"));
document.addEventListener("drop", (event) => {
  form.classList.remove("dropping");
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  take(event.dataTransfer.files[0]);
});
