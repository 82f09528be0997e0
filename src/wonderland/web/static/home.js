// The home page: creates a table, seats people and bots, and goes there.

const randomHex = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");
const nameInput = document.getElementById("name");
const problem = document.getElementById("problem");
nameInput.value ||= localStorage.getItem("name") || "";
nameInput.addEventListener("change", () => localStorage.setItem("name", nameInput.value.trim()));
for (const first of document.querySelectorAll(".people input:first-child")) first.value = nameInput.value;

// Like `callApi` in api.js, which would cost the home page another request.
async function post(path, data) {
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) };
  const response = await fetch(path, options).catch(() => {
    throw new Error(problem.dataset.lost);
  });
  const body = await response.json();
  if (!response.ok) throw new Error(body.says);
  return body;
}

// Assigns the seats: names of people by seat, and bots for the rest, unless friends are invited.
function assignSeats(chosen, how) {
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

function readForm(form, how) {
  const chosen = new FormData(form);
  const { seats, people, bots } = assignSeats(chosen, how);
  const options = {};
  for (const [name, value] of chosen) if (name.startsWith("option.")) options[name.slice(7)] = value;
  const creation = { game: form.dataset.game, seats, options, bots };
  creation.access = how === "friends" ? chosen.get("access") : "bots";
  creation.hints = how === "now" || chosen.has("hints");
  if (chosen.get("clock") && how !== "now") creation.clock = Number(chosen.get("clock"));
  return { creation, people };
}

async function createTable(form, how) {
  const { creation, people } = readForm(form, how);
  const { table, invitation } = await post("/api/tables", creation);
  let version = 0;
  const sendCommand = async (command) => {
    ({ version } = await post(`/api/tables/${table}/commands`, { at: version, key: randomHex(8), ...command }));
  };
  for (const [seat, name] of people) await sendCommand({ do: "sit", seat, name, contribution: randomHex(32) });
  if (how === "friends") localStorage.setItem(`host.${table}`, invitation);
  else await sendCommand({ do: "start" });
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
      await createTable(form, button.value);
    } catch (error) {
      problem.textContent = error.message;
      problem.hidden = false;
      problem.scrollIntoView({ block: "center" });
      button.disabled = false;
    }
  });

// A page restored from the back/forward cache has outdated lists.
addEventListener("pageshow", (event) => event.persisted && location.reload());
