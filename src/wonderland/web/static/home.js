// The first page: lays a table, sits down, and goes there.

const randomHex = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");
const nameInput = document.getElementById("name");
const problem = document.getElementById("problem");
nameInput.value = localStorage.getItem("name") || "";
nameInput.addEventListener("change", () => localStorage.setItem("name", nameInput.value.trim()));

async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.says);
  return found;
}

async function begin(form, how) {
  const chosen = new FormData(form);
  const seats = Number(chosen.get("seats"));
  const options = {};
  for (const [name, value] of chosen) if (name.startsWith("option.")) options[name.slice(7)] = value;
  const bots = {};
  if (how === "now") for (let seat = 1; seat < seats; seat++) bots[seat] = chosen.get("level");
  const access = how === "now" ? "bots" : "link";
  const { table, invitation } = await post("/api/tables", { game: form.dataset.game, seats, options, bots, access });
  const name = nameInput.value.trim() || nameInput.placeholder;
  localStorage.setItem("name", name);
  const at = `/api/tables/${table}/commands`;
  await post(at, { do: "sit", at: 0, key: randomHex(8), name, contribution: randomHex(32), seat: 0 });
  if (how === "now") await post(at, { do: "start", at: 1, key: randomHex(8) });
  else localStorage.setItem(`host.${table}`, invitation);
  location.href = `/tables/${table}`;
}

for (const form of document.querySelectorAll("form.choose"))
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = event.submitter;
    button.disabled = true;
    try {
      await begin(form, button.value);
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
      button.disabled = false;
    }
  });
