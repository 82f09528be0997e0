// Rated names: registers and recovers a name, creates rated tables, and deletes the name.

import { callApi, contribute, randomHex } from "./api.js";

const main = document.getElementById("main");
const problem = document.getElementById("problem");
const byId = (name) => document.getElementById(name);

// Runs an action with its button disabled, and shows its error, if any.
async function runAction(button, action) {
  button.disabled = true;
  problem.hidden = true;
  try {
    await action();
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
    problem.scrollIntoView({ block: "center" });
  }
  button.disabled = false;
}

// A recovery code is shown once, and stored nowhere.
function showRecoveryCode(code) {
  byId("recovery").value = code;
  byId("rest").hidden = true;
  byId("code").hidden = false;
  byId("code-title").focus();
}

function onSubmit(form, action) {
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    runAction(event.submitter, () => action(new FormData(form)));
  });
}

onSubmit(byId("make"), async (fields) => {
  const { name, code } = await callApi("/api/people", { name: fields.get("name").trim().replace(/\s+/g, " ") });
  localStorage.setItem("name", name);
  showRecoveryCode(code);
});
onSubmit(byId("claim"), async (fields) => {
  const { name } = await callApi("/api/people/claim", { code: fields.get("code") });
  localStorage.setItem("name", name);
  location.reload();
});
for (const form of document.querySelectorAll("form.rate"))
  onSubmit(form, async (fields) => {
    const creation = { game: form.dataset.game, seats: Number(fields.get("seats")), access: fields.get("access"), rated: true };
    const { table, invitation, commitment } = await callApi("/api/tables", creation);
    const sit = { do: "sit", at: 0, key: randomHex(8), seat: 0, name: "?", contribution: contribute(table, commitment), portrait: localStorage.getItem("portrait") ?? "" };
    await callApi(`/api/tables/${table}/commands`, sit);
    localStorage.setItem(`host.${table}`, invitation);
    location.href = `/tables/${table}`;
  });

const nameInput = byId("name");
if (nameInput) nameInput.value ||= localStorage.getItem("name") || "";

main.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.copy) copyField(button);
  if (button && "on" in button.dataset) location.reload();
  if (!button?.dataset.ask || (button.dataset.confirm && !confirm(button.dataset.confirm))) return;
  runAction(button, async () => {
    const { code } = await callApi(button.dataset.ask, JSON.parse(button.dataset.fields));
    if (code) showRecoveryCode(code);
    else location.reload();
  });
});

async function copyField(button) {
  const field = byId(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = main.dataset.copied;
  } catch {
    field.select();
  }
}

byId("delete")?.addEventListener("click", () => byId("deleting").showModal());
byId("really")?.addEventListener("click", (event) =>
  runAction(event.target, async () => {
    byId("deleting").close();
    await callApi("/api/people", null, "DELETE");
    location.reload();
  }),
);

// A page restored from the back/forward cache has outdated ratings.
addEventListener("pageshow", (event) => event.persisted && location.reload());
