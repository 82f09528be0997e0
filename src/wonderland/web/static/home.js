// The home page: creates a table, seats people and bots, and goes there.

const randomHex = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");
const nameInput = document.getElementById("name");
const problem = document.getElementById("problem");
nameInput.value ||= localStorage.getItem("name") || "";
nameInput.addEventListener("change", () => localStorage.setItem("name", nameInput.value.trim()));

// The portrait, which the tables of this device show: chosen once for a new visitor, who may choose another.
const portraits = [...document.querySelectorAll("#you [name=portrait]")];
const ownPortrait =
  portraits.find((each) => each.value === localStorage.getItem("portrait")) ?? portraits[Math.floor(Math.random() * portraits.length)];
ownPortrait.checked = true;
// On a phone, where the row is longer than the screen. After the first paint, since measuring would delay it.
requestAnimationFrame(() =>
  setTimeout(() => {
    ownPortrait.form.querySelector(".faces").scrollLeft = ownPortrait.parentNode.offsetLeft - ownPortrait.form.offsetWidth / 2;
  }),
);
localStorage.setItem("portrait", ownPortrait.value);
for (const each of portraits) each.addEventListener("change", () => localStorage.setItem("portrait", each.value));

// Settings, which settings.js reads at a table.
const [sound, pace] = [document.getElementById("sound"), document.getElementById("pace")];
sound.checked = localStorage.getItem("sound") !== "off";
sound.addEventListener("change", () => localStorage.setItem("sound", sound.checked ? "on" : "off"));
pace.value = localStorage.getItem("pace") ?? pace.value;
pace.addEventListener("change", () => localStorage.setItem("pace", pace.value));

// The level of the opponents, for each game: it follows the results of this device (see opponents.js), and can be changed.
for (const form of document.querySelectorAll("form.choose")) {
  const key = `opponents.${form.dataset.game}`;
  const { level } = form.elements;
  const read = () => JSON.parse(localStorage.getItem(key) ?? "{}");
  const store = () => read().level !== level.value && localStorage.setItem(key, JSON.stringify({ ...read(), level: level.value, run: 0 }));
  if ([...level.options].some(({ value }) => value === read().level)) level.value = read().level;
  level.addEventListener("change", store);
  form.addEventListener("submit", store);
}

for (const first of document.querySelectorAll(".people input:first-child")) first.value = nameInput.value;

// Like `callApi` in api.js, which would cost the home page another request.
async function post(path, data) {
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) };
  const response = await fetch(path, options).catch(() => {
    throw new Error(problem.dataset.lost);
  });
  const body = await response.json();
  if (!response.ok) throw new Error(body.detail);
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
  const avoid = [...people.values(), localStorage.getItem("portrait")].filter(Boolean); // no bot is called or looks like a player
  const creation = { game: form.dataset.game, seats, options, bots, avoid };
  creation.access = how === "friends" ? chosen.get("access") : "bots";
  creation.hints = how === "now" || chosen.has("hints");
  if (chosen.get("clock") && how !== "now") creation.clock = Number(chosen.get("clock"));
  return { creation, people };
}

async function createTable(form, how) {
  const { creation, people } = readForm(form, how);
  const { table, invitation, commitment } = await post("/api/tables", creation);
  const contributions = []; // kept before they are sent, as by `contribute` in api.js
  const contribute = () => {
    contributions.push(randomHex(32));
    localStorage.setItem(`shuffle.${table}`, JSON.stringify({ commitment, contributions, time: Date.now() }));
    return contributions.at(-1);
  };
  let version = 0;
  const sendCommand = async (command) => {
    ({ version } = await post(`/api/tables/${table}/commands`, { at: version, key: randomHex(8), ...command }));
  };
  for (const [seat, name] of people) {
    const portrait = name === nameInput.value.trim() || how !== "here" ? localStorage.getItem("portrait") : "";
    await sendCommand({ do: "sit", seat, name, portrait, contribution: contribute() });
  }
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

// Fetches what every table needs once this page is complete and idle.
const whenIdle = window.requestIdleCallback ?? setTimeout;
const prefetchTables = () => whenIdle(() => document.head.append(document.getElementById("table-files").content));
if (document.readyState === "complete") prefetchTables();
else addEventListener("load", prefetchTables);

// Fetches what the tables of a game load besides, as soon as somebody turns to that game.
function prefetch({ target }) {
  const game = target.closest("[data-files]");
  for (const href of JSON.parse(game?.dataset.files ?? "[]")) document.head.append(Object.assign(document.createElement("link"), { rel: "prefetch", href }));
  game?.removeAttribute("data-files");
}
for (const sign of ["pointerover", "focusin"]) addEventListener(sign, prefetch);

// Once somebody has played here, all service workers: for offline use, and to install Wonderland as an app.
if (navigator.serviceWorker && localStorage.getItem("name"))
  addEventListener("load", () => {
    for (const path of document.body.dataset.serviceWorkers.split(" "))
      navigator.serviceWorker.register(path, { updateViaCache: "none" }).catch(() => {});
  });

// A page restored from the back/forward cache has outdated lists.
addEventListener("pageshow", (event) => event.persisted && location.reload());
