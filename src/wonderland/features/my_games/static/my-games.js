// One's own games: imports a file of records, and removes imported games from the list.

import { callApi, showSentence } from "./api.js";

const form = document.getElementById("import");
const problem = document.getElementById("problem");
const imported = document.getElementById("imported");
const nameField = document.getElementById("name");
nameField.value ||= localStorage.getItem("name") || "";

const fill = (text, fields) => text.replace(/\{(\w+)\}/g, (_, name) => fields[name]);

function showError(sentence, rule) {
  showSentence(problem, sentence, rule);
  problem.hidden = false;
  problem.scrollIntoView({ block: "nearest" });
}

function addLine(sentence, rule) {
  const line = document.createElement("p");
  showSentence(line, sentence, rule);
  imported.append(line);
}

function showResult({ added, known, faults, is_full }) {
  const { added: addedText, known: knownText, fault: faultText, full } = form.dataset;
  imported.replaceChildren();
  addLine(fill(addedText, { number: added }));
  if (known) addLine(fill(knownText, { number: known }));
  for (const { number, line, says, rule } of faults) addLine(fill(faultText, { n: number, line, what: says }), rule);
  if (is_full) addLine(full);
  if (!added) return;
  const link = Object.assign(document.createElement("a"), { href: "/games", className: "button main" });
  link.textContent = document.querySelector("h1").textContent;
  imported.append(link);
}

async function importFile(file) {
  if (!file) return;
  problem.hidden = true;
  if (file.size > 4 * Number(form.dataset.longest)) return showError(form.dataset.large);
  const text = (await file.text()).replace(/\r\n?/g, "\n");
  if (text.length > Number(form.dataset.longest)) return showError(form.dataset.large);
  try {
    showResult(await callApi("/api/my-games/records", { text, name: nameField.value.trim() }));
  } catch ({ message, body }) {
    showError(message, body?.rule);
  }
}

document.getElementById("file").addEventListener("change", (event) => {
  importFile(event.target.files[0]);
  event.target.value = ""; // so that choosing the same file again is a change
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-remove]");
  if (!button) return;
  button.disabled = true;
  try {
    await callApi(`/api/my-games/imported/${button.dataset.remove}`, undefined, "DELETE");
    button.closest("li").remove();
  } catch ({ message }) {
    button.disabled = false;
    showError(message);
  }
});

// Fields that were left empty would only lengthen the address.
document.querySelector(".filter")?.addEventListener("formdata", ({ formData }) => {
  for (const [name, value] of [...formData]) if (!value) formData.delete(name);
});
