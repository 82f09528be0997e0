// A name in the ratings: takes one, brings one back, lays rated tables, and lets go of the name.

import { answerTo, randomHex } from "./api.js";

const main = document.getElementById("main");
const problem = document.getElementById("problem");
const byId = (name) => document.getElementById(name);

// Does something with a button that waits meanwhile; what is refused is said.
async function doing(button, work) {
  button.disabled = true;
  problem.hidden = true;
  try {
    await work();
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
    problem.scrollIntoView({ block: "center" });
  }
  button.disabled = false;
}

// A code is shown once, and kept nowhere.
function showCode(code) {
  byId("recovery").value = code;
  byId("rest").hidden = true;
  byId("code").hidden = false;
  byId("code-title").focus();
}

function onSubmit(form, work) {
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    doing(event.submitter, () => work(new FormData(form)));
  });
}

onSubmit(byId("make"), async (given) => {
  const { name, code } = await answerTo("/api/people", { name: given.get("name").trim().replace(/\s+/g, " ") });
  localStorage.setItem("name", name);
  showCode(code);
});
onSubmit(byId("claim"), async (given) => {
  const { name } = await answerTo("/api/people/claim", { code: given.get("code") });
  localStorage.setItem("name", name);
  location.reload();
});
for (const form of document.querySelectorAll("form.rate"))
  onSubmit(form, async (given) => {
    const wish = { game: form.dataset.game, seats: Number(given.get("seats")), access: given.get("access"), rated: true };
    const { table, invitation } = await answerTo("/api/tables", wish);
    const sit = { do: "sit", at: 0, key: randomHex(8), seat: 0, name: "?", contribution: randomHex(32) };
    await answerTo(`/api/tables/${table}/commands`, sit);
    localStorage.setItem(`host.${table}`, invitation);
    location.href = `/tables/${table}`;
  });

const named = byId("name");
if (named) named.value ||= localStorage.getItem("name") || "";

main.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.copy) copy(button);
  if (button && "on" in button.dataset) location.reload();
  if (!button?.dataset.ask || (button.dataset.confirm && !confirm(button.dataset.confirm))) return;
  doing(button, async () => {
    const { code } = await answerTo(button.dataset.ask, JSON.parse(button.dataset.fields));
    if (code) showCode(code);
    else location.reload();
  });
});

async function copy(button) {
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
  doing(event.target, async () => {
    byId("deleting").close();
    await answerTo("/api/people", null, "DELETE");
    location.reload();
  }),
);

// Who comes back finds the ratings as they are now.
addEventListener("pageshow", (event) => event.persisted && location.reload());
