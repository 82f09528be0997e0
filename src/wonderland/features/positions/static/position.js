// The position editor: sends what was touched, shows what comes back, and asks what to play.

import { answerTo } from "./api.js";
import { inScene, markIn } from "./highlights.js";

const byId = (id) => document.getElementById(id);
const root = byId("main");
const { game } = root.dataset;
const form = byId("form");
const scene = byId("scene");
const says = byId("says");
const ask = byId("ask");
const advice = byId("advice");
const line = byId("line");
let facts = JSON.parse(root.dataset.fields);
let seat = Number(root.dataset.seat);

function tell(sentence, ready) {
  says.textContent = sentence;
  says.classList.toggle("ready", ready);
}

async function asked(path, body) {
  try {
    return await answerTo(path, { game, ...body });
  } catch (error) {
    tell(error.message, false);
    return null;
  }
}

// The address has the line as people read it, but for what would end it.
const readable = (text) =>
  encodeURIComponent(text).replace(/%(20|2F|3D|3F|2C)/g, (it) => (it === "%20" ? "+" : decodeURIComponent(it)));

function swapForm(html) {
  const held = form.contains(document.activeElement) ? document.activeElement : null;
  const fallback = held?.dataset.place && `place-${held.dataset.place}`;
  const open = byId("ed-more")?.open;
  form.innerHTML = html;
  if (open && byId("ed-more")) byId("ed-more").open = true;
  if (!held?.id) return;
  const next = byId(held.id) || (fallback && byId(fallback));
  next?.focus({ preventScroll: true });
  if (next?.dataset.lay) only(next);
}

function show(found) {
  swapForm(found.html.form);
  scene.innerHTML = found.html.scene;
  scene.classList.remove("choosing");
  advice.textContent = "";
  seat = found.seat;
  line.value = found.position;
  byId("seat").value = String(seat);
  ask.disabled = !found.ready;
  tell(found.says, found.ready);
  history.replaceState(null, "", `?position=${readable(found.position)}&seat=${seat}`);
}

// Touches wait for each other, so that none is lost; only the last is shown.
let queue = Promise.resolve();
let waiting = 0;
function send(change, touch) {
  waiting += 1;
  queue = queue.then(async () => {
    const found = await asked("/api/positions", { facts: { ...facts, ...change }, ...(touch && { touch }) });
    waiting -= 1;
    if (found) facts = found.facts;
    if (found && !waiting) show(found);
  });
}

form?.addEventListener("change", (event) => {
  const { choice } = event.target.dataset;
  if (choice) send({ [choice]: event.target.value });
  else if (event.target.name === "at") send({ at: event.target.value });
});
form?.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.lay) {
    const place = form.querySelector("[name=at]:checked").value;
    send({ at: place }, { place, piece: button.dataset.lay });
  } else if (button?.dataset.back) {
    const { place, back } = button.dataset;
    send({ at: place }, { place, number: Number(back) });
  }
});

// One stop for all the pieces; arrows go from one to the next.
function only(piece) {
  for (const other of form.querySelectorAll("[data-lay]")) other.tabIndex = other === piece ? 0 : -1;
}
form?.addEventListener("keydown", (event) => {
  const piece = event.target.closest("[data-lay]");
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
  if (!piece || !step || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const rows = [...form.querySelectorAll(".ed-row")].map((row) => [...row.children]);
  const row = rows.findIndex((each) => each.includes(piece));
  const next = rows[(row + step[0] + rows.length) % rows.length];
  const at = rows[row].indexOf(piece) + step[1];
  const found = next[step[0] ? Math.min(at, next.length - 1) : (at + next.length) % next.length];
  only(found);
  found.focus();
});

// What an option would do is marked in the scene.
function mark(option) {
  for (const other of advice.querySelectorAll("[data-option]")) other.setAttribute("aria-current", other === option);
  markIn(scene, inScene(scene, option.dataset.option));
}
for (const kind of ["pointerover", "focusin", "click"])
  advice.addEventListener(kind, (event) => {
    const option = event.target.closest("[data-option]");
    if (option && event.pointerType !== "touch") mark(option);
    else if (option && kind === "click") mark(option);
  });

ask.addEventListener("click", async () => {
  ask.disabled = true;
  const said = says.textContent;
  tell(root.dataset.thinking, true);
  await queue;
  const position = line.value;
  const found = await asked("/api/positions/advice", { position, seat });
  if (line.value !== position) return;
  ask.disabled = false;
  if (!found) return;
  tell(said, true);
  advice.innerHTML = found.html;
  mark(advice.querySelector("[data-option]"));
  if (advice.getBoundingClientRect().top > innerHeight / 2) advice.scrollIntoView();
});

byId("copy").addEventListener("click", async (event) => {
  try {
    await navigator.clipboard.writeText(line.value);
    event.target.textContent = root.dataset.copied;
  } catch {
    line.select();
  }
});
