// The first page: lays a table, lets people sit down at it, and goes there.

const randomHex = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");
const nameInput = document.getElementById("name");
const problem = document.getElementById("problem");
nameInput.value ||= localStorage.getItem("name") || "";
nameInput.addEventListener("change", () => localStorage.setItem("name", nameInput.value.trim()));
for (const first of document.querySelectorAll(".people input:first-child")) first.value = nameInput.value;

// As in api.js, which would be one thing more to ask for on the first page.
async function post(path, body) {
  const wish = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const answer = await fetch(path, wish).catch(() => {
    throw new Error(problem.dataset.lost);
  });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.says);
  return found;
}

// Who sits where: the name of each person by their seat; bots have the others, unless friends come.
function seated(chosen, how) {
  const seats = Number(chosen.get("seats"));
  const own = nameInput.value.trim() || nameInput.placeholder;
  const names = how === "here" ? chosen.getAll("person").slice(0, seats).map((name) => name.trim()) : [own];
  if (!names.some(Boolean)) names[0] = own;
  const people = new Map([...names.entries()].filter(([, name]) => name));
  const bots = {};
  if (how !== "friends")
    for (let seat = 0; seat < seats; seat++) if (!people.has(seat)) bots[seat] = chosen.get("level");
  return { seats, people, bots };
}

function wanted(form, chosen, how) {
  const { seats, people, bots } = seated(chosen, how);
  const options = {};
  for (const [name, value] of chosen) if (name.startsWith("option.")) options[name.slice(7)] = value;
  const table = { game: form.dataset.game, seats, options, bots };
  table.access = how === "friends" ? chosen.get("access") : "bots";
  table.hints = how === "now" || chosen.has("hints");
  if (chosen.get("clock") && how !== "now") table.clock = Number(chosen.get("clock"));
  return { table, people };
}

async function begin(form, how) {
  const { table: wish, people } = wanted(form, new FormData(form), how);
  const { table, invitation } = await post("/api/tables", wish);
  const at = `/api/tables/${table}/commands`;
  let version = 0;
  const act = async (command) => {
    ({ version } = await post(at, { at: version, key: randomHex(8), ...command }));
  };
  for (const [seat, name] of people) await act({ do: "sit", seat, name, contribution: randomHex(32) });
  if (how === "friends") localStorage.setItem(`host.${table}`, invitation);
  else await act({ do: "start" });
  if (how !== "here") localStorage.setItem("name", people.get(0));
  location.href = `/tables/${table}`;
}

for (const form of document.querySelectorAll("form.choose"))
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = event.submitter;
    button.disabled = true;
    problem.hidden = true;
    try {
      await begin(form, button.value);
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
      problem.scrollIntoView({ block: "center" });
      button.disabled = false;
    }
  });

// Who comes back finds the lists as they are now.
addEventListener("pageshow", (event) => event.persisted && location.reload());
