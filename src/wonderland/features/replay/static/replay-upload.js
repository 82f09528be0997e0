// Uploads a record: a file, dropped or chosen, or pasted text. An error selects the place in the text.

import { callApi, showSentence } from "./api.js";

const form = document.getElementById("bring");
const text = document.getElementById("text");
const problem = document.getElementById("problem");
const faultyButton = document.getElementById("open-faulty"); // opens a record with a fault, up to the fault

function showError(sentence, rule) {
  showSentence(problem, sentence, rule);
  problem.hidden = false;
  text.setAttribute("aria-invalid", "true");
}

function clearError() {
  problem.hidden = true;
  faultyButton.hidden = true;
  text.removeAttribute("aria-invalid");
}

// Selects the word at a line and column, counted from 1.
function selectWord(line, column) {
  const lines = text.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  const rest = (lines[line - 1] ?? "").slice(column - 1);
  const from = Math.min(text.value.length, start + column - 1);
  text.focus();
  text.setSelectionRange(from, from + (rest.match(/^\S+/)?.[0].length ?? 0));
  const height = text.scrollHeight / lines.length;
  text.scrollTop = Math.max(0, (line - 4) * height);
}

async function upload(faulty = false) {
  clearError();
  try {
    const { id } = await callApi("/api/replays", { text: text.value, faulty });
    location.href = `/replay/${id}`;
  } catch ({ message, body }) {
    showError(message, body?.rule);
    faultyButton.hidden = !body?.moves;
    if (body?.line) selectWord(body.line, body.column);
  }
}

async function uploadFile(file) {
  if (!file) return;
  if (file.size > 4 * Number(form.dataset.longest)) return showError(form.dataset.large);
  text.value = (await file.text()).replace(/\r\n?/g, "\n");
  await upload();
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  upload();
});
text.addEventListener("input", clearError);
faultyButton.addEventListener("click", () => upload(true));
document.getElementById("file").addEventListener("change", (event) => {
  uploadFile(event.target.files[0]);
  event.target.value = ""; // so that choosing the same file again, corrected, is a change
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
  uploadFile(event.dataTransfer.files[0]);
});
