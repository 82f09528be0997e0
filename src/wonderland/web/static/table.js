// A table in the browser: swaps the parts that the server sends, lets what moved glide, keeps the focus,
// and sends what people do. It knows no game and no rules.

const root = document.getElementById("table");
const id = root.dataset.table;
const seat = root.dataset.seat;
const main = document.getElementById("main");
const preview = document.getElementById("preview");
const toast = document.getElementById("toast");
const connection = document.getElementById("connection");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const randomHex = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");

// The link to the table carries its secret behind the #; it is kept for this visit only.
const fragment = location.hash.slice(1);
if (fragment) sessionStorage.setItem(`link.${id}`, fragment);
const invitation = () => sessionStorage.getItem(`link.${id}`) || localStorage.getItem(`host.${id}`) || "";

/* Motion: measure, swap, glide */

const GLIDE = 380; // milliseconds of one movement
const STEP = 180; // and how much later those of the next step begin
const pieces = () => new Map([...root.querySelectorAll("[data-piece]")].map((e) => [e.dataset.piece, e]));

function measured() {
  const places = new Map();
  for (const [name, element] of pieces()) places.set(name, element.getBoundingClientRect());
  for (const element of root.querySelectorAll("[data-anchor]"))
    places.set(`@${element.dataset.anchor}`, element.getBoundingClientRect());
  return places;
}

function glide(before) {
  if (calm.matches || pace() === 0 || document.hidden) return;
  const slower = Math.max(0.5, pace() / 800);
  for (const [name, element] of pieces()) {
    const now = element.getBoundingClientRect();
    const was = before.get(name) || (element.dataset.from && before.get(`@${element.dataset.from}`));
    if (!was || !now.width || !was.width) continue;
    // Inside a picture a pixel is a unit of that picture.
    const scale = element.ownerSVGElement ? element.parentNode.getScreenCTM().a : 1;
    const dx = (was.left + was.width / 2 - now.left - now.width / 2) / scale;
    const dy = (was.top + was.height / 2 - now.top - now.height / 2) / scale;
    if ((Math.abs(dx) + Math.abs(dy)) * scale < 2) continue;
    const known = before.has(name);
    const size = known ? was.width / now.width : Math.min(1, was.width / now.width);
    element.animate(
      [
        { transform: `translate(${dx}px, ${dy}px) scale(${size})`, zIndex: 5, opacity: known ? 1 : 0 },
        { opacity: 1, offset: 0.2 },
        { transform: "none", zIndex: 5, opacity: 1 },
      ],
      {
        duration: slower * GLIDE,
        delay: slower * STEP * Number(element.dataset.step || 0),
        easing: "cubic-bezier(.2,.8,.2,1)",
        fill: "backwards",
      },
    );
  }
}

/* What the server sends is shown one page after another */

const MOST_WAITING = 12; // who was away need not see it all
const queue = [];
let version = Number(root.dataset.version);
let newest = version;
let showing = null; // the timer of the page that is shown
let following = false; // whether to go where the rematch is

const paceChoice = document.getElementById("pace");
paceChoice.value = localStorage.getItem("pace") ?? "800";
if (!paceChoice.value) paceChoice.value = "800";
paceChoice.addEventListener("change", () => localStorage.setItem("pace", paceChoice.value));
const pace = () => (calm.matches ? 0 : Number(paceChoice.value));

function arrive(page) {
  if (page.version < newest) return;
  newest = page.version;
  if (queue.length && queue.at(-1).version === page.version) queue.pop();
  queue.push(page);
  if (queue.length > MOST_WAITING || document.hidden || pace() === 0) {
    queue.splice(0, queue.length - 1);
    clearTimeout(showing);
    showing = null;
  }
  if (showing === null) showNext();
}

function showNext() {
  showing = null;
  const page = queue.shift();
  if (!page) return;
  version = page.version;
  root.dataset.version = version;
  document.title = page.title;
  document.getElementById("icon").href = page.mine ? root.dataset.turnIcon : root.dataset.calmIcon;
  const moved = swap(page.html);
  if (pace() && moved) showing = setTimeout(showNext, pace());
  else showNext();
}

let shown = {};
let byKeyboard = false;
let waitsForChoice = false; // the focus was on a choice that is gone

function swap(html) {
  const focused = document.activeElement?.closest?.("[id], [data-play], [data-do]");
  const again = focused && addressOf(focused);
  const before = measured();
  const moved = shown.scene !== html.scene;
  for (const [name, text] of Object.entries(html)) {
    const part = document.getElementById(name);
    if (part && shown[name] !== text) part.innerHTML = text;
  }
  shown = html;
  if (moved) glide(before);
  mark(null);
  refocus(focused, again);
  fillFields();
  present();
  const next = document.getElementById("next");
  if (following && next) location.href = next.href;
  return moved;
}

function addressOf(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (element.dataset.play) return `[data-play="${CSS.escape(element.dataset.play)}"]`;
  return `[data-do="${element.dataset.do}"][data-fields="${CSS.escape(element.dataset.fields || "")}"]`;
}

function refocus(focused, again) {
  if (again && !document.contains(focused)) {
    const same = root.querySelector(again);
    if (same) same.focus({ preventScroll: true });
    else {
      waitsForChoice = byKeyboard && Boolean(focused.dataset.play);
      main.focus({ preventScroll: true });
    }
  }
  const first = root.querySelector("[data-play]");
  if (waitsForChoice && first && document.activeElement === main) {
    waitsForChoice = false;
    first.focus({ preventScroll: true });
  }
}

/* Choices: to touch, point at or focus one shows what would happen; then it can be done */

let marked = null;

function mark(choice) {
  if (choice === marked && choice) return;
  marked = choice;
  for (const element of root.querySelectorAll("[class*=mark]"))
    for (const name of [...element.classList]) if (/^mark(ed$|-)/.test(name)) element.classList.remove(name);
  preview.textContent = choice ? choice.getAttribute("aria-label") : "";
  root.classList.toggle("choosing", Boolean(choice));
  if (!choice) return;
  choice.classList.add("marked");
  const there = pieces();
  for (const word of (choice.dataset.marks || "").split(" ").filter(Boolean)) {
    const [name, kind] = word.split(":");
    there.get(name)?.classList.add(`mark-${kind}`);
  }
}

const choiceAt = (event) => event.target.closest?.("[data-play]");

root.addEventListener("click", (event) => {
  const choice = choiceAt(event);
  const command = event.target.closest("[data-do]");
  const pointed = event.detail > 0; // by a finger or a mouse, not by a key
  if (choice) {
    if (marked === choice || !pointed || choice.hasAttribute("data-at-once")) play(choice);
    else mark(choice);
  } else if (command) act(command);
  else if (event.target.id === "copy") copyLink();
  else mark(null);
});
root.addEventListener("pointermove", (event) => {
  if (event.pointerType !== "mouse") return;
  const choice = choiceAt(event);
  if (choice) mark(choice);
  else if (marked && marked !== document.activeElement) mark(null);
});
root.addEventListener("focusin", (event) => {
  const choice = choiceAt(event);
  if (choice && choice.matches(":focus-visible")) mark(choice);
});
document.addEventListener("pointerdown", () => (byKeyboard = false), true);
document.addEventListener("keydown", (event) => {
  byKeyboard = true;
  if (event.key === "Escape") mark(null);
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const choices = [...root.querySelectorAll("[data-play]")];
  if (!step || !choices.length || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.target.matches("input, select, textarea, .log")) return;
  const at = choices.indexOf(document.activeElement);
  const next = at < 0 ? (step > 0 ? 0 : choices.length - 1) : (at + step + choices.length) % choices.length;
  choices[next].focus();
  event.preventDefault();
});
document.getElementById("say")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const input = event.target.elements.text;
  if (input.value.trim()) send({ do: "say", seat: Number(seat), text: input.value.trim() });
  input.value = "";
});

/* Commands */

const pending = new Map(); // key -> command that has not been answered

function play(choice) {
  if ([...pending.values()].some((command) => command.do === "play")) return; // one at a time
  choice.classList.add("sent");
  send({ do: "play", seat: Number(seat), action: choice.dataset.play });
}

function act(button) {
  if (button.dataset.confirm && !confirm(button.dataset.confirm)) return;
  const fields = JSON.parse(button.dataset.fields || "{}");
  if (button.dataset.do === "rematch") following = true;
  if (button.dataset.do === "sit") sit(fields);
  else send({ do: button.dataset.do, ...fields });
}

// To sit down sets the cookie, which a WebSocket can't: so it goes by HTTP, and the page is opened anew.
async function sit(fields) {
  const input = document.getElementById("name");
  const name = (fields.name || input?.value || localStorage.getItem("name") || "").trim();
  if (!name) {
    complain(root.dataset.nameless);
    input?.focus();
    return;
  }
  if (!fields.name) localStorage.setItem("name", name);
  const secret = invitation();
  if (secret) fields.invitation = secret;
  await enter({ do: "sit", contribution: randomHex(32), ...fields, name });
}

async function claim() {
  const [, number, secret] = fragment.split(".");
  history.replaceState(null, "", location.pathname);
  sessionStorage.removeItem(`link.${id}`);
  await enter({ do: "claim", seat: Number(number), secret });
}

async function enter(command) {
  try {
    const answer = await fetch(`/api/tables/${id}/commands`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ at: newest, key: randomHex(8), ...command }),
    });
    const found = await answer.json();
    if (answer.ok) location.reload();
    else complain(found.says);
  } catch {
    complain(root.dataset.lost);
  }
}

function send(command) {
  const whole = { at: version, key: randomHex(8), ...command };
  pending.set(whole.key, whole);
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(whole));
}

function complain(sentence) {
  toast.textContent = sentence;
  toast.hidden = false;
  clearTimeout(complain.timer);
  complain.timer = setTimeout(() => (toast.hidden = true), 6000);
}

function fillFields() {
  const link = document.getElementById("link");
  if (link) link.value = `${location.origin}/tables/${id}${invitation() ? "#" + invitation() : ""}`;
  const name = document.getElementById("name");
  if (name) name.value = localStorage.getItem("name") || "";
}
root.addEventListener("input", (event) => {
  if (event.target.id === "name") localStorage.setItem("name", event.target.value);
});

async function copyLink() {
  const link = document.getElementById("link");
  try {
    await navigator.clipboard.writeText(link.value);
    document.getElementById("copy").textContent = root.dataset.copied;
  } catch {
    link.select();
  }
}

/* The connection: comes back by itself, and sends again what was not answered */

const NOT_YOURS = 4403; // what the server says when it closes
const NOT_FOUND = 4404;
let socket = null;
let wait = 250;
let seatsHere = [];

function connect() {
  const mine = seat === "" ? "" : `&seat=${seat}`;
  const where = new URL(`/api/tables/${id}/live?form=page&after=${newest}${mine}`, location);
  where.protocol = where.protocol.replace("http", "ws");
  socket = new WebSocket(where);
  socket.onopen = () => {
    wait = 250;
    connection.textContent = "";
    root.classList.remove("lost");
    for (const command of pending.values()) socket.send(JSON.stringify(command));
  };
  socket.onmessage = (event) => hear(JSON.parse(event.data));
  socket.onclose = (event) => {
    if (event.code === NOT_YOURS || event.code === NOT_FOUND) return location.assign(location.pathname);
    connection.textContent = root.dataset.lost;
    root.classList.add("lost");
    setTimeout(connect, wait * (0.75 + Math.random() / 2));
    wait = Math.min(2 * wait, 10000);
  };
}

function hear(message) {
  if (message.type === "page") arrive(message);
  else if (message.type === "done") {
    const { do: what } = pending.get(message.key) || {};
    pending.delete(message.key);
    if (what === "leave") location.reload(); // the seat may not be ours any longer
  }
  else if (message.type === "refused") {
    pending.delete(message.key);
    for (const element of root.querySelectorAll(".sent")) element.classList.remove("sent");
    complain(message.says);
  } else if (message.type === "present") {
    seatsHere = message.seats;
    present();
  }
}

function present() {
  for (const item of root.querySelectorAll("[data-seat]"))
    item.classList.toggle("here", seatsHere.includes(Number(item.dataset.seat)));
}

if (fragment.startsWith("seat.")) claim();
fillFields();
connect();
