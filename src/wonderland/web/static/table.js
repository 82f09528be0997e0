// A table in the browser: swaps the parts that the server sends, lets what moved glide, keeps the focus,
// and sends what people do. It knows no game and no rules.

import { randomHex } from "./api.js";
import { aloud, asked, byId, complain, id, main, me, root } from "./dom.js";
import { callBack, openSettings, pace, singleKeys, tone } from "./settings.js";
import { byKeyboard, letChoose, mark, markWhatIsLeft } from "./choices.js";
import { answered, connect, isPlaying, send, wasTurnedAway } from "./connection.js";
import { isLooking, letLookBack, look, markLine, meanwhile, reached } from "./history.js";
import { glide, measured } from "./animation.js";
import { become, isCovered, letPass, mayShow, settle } from "./hotseat.js";
import { copy, fillFields, fragment, invitation, shareSeat } from "./links.js";

/* What the server sends is shown one page after another */

const MOST_WAITING = 12; // who was away need not see it all
const SECRET = ["scene", "log", "news", "guide"]; // what one seat alone may know
const queue = [];
let newest = Number(root.dataset.version);
let showing = null; // the timer of the page that is shown
let latest = null; // the newest page that was shown
let following = false; // whether to go where the rematch is

function arrive(page) {
  if (page.release !== root.dataset.release) byId("renewed").hidden = false;
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
  if (!page) {
    if (latest) settle(latest);
    return;
  }
  const moved = page.retold ? swap(page.html) : showPage(page);
  if (pace() && moved) showing = setTimeout(showNext, pace());
  else showNext();
}

function showPage(page) {
  const wasMine = latest?.mine;
  const had = Number(root.dataset.moves);
  const wasPlaying = root.querySelector(".status.playing");
  latest = page;
  root.dataset.version = page.version;
  root.dataset.moves = page.moves;
  document.title = page.title;
  showIcon(page.mine ? root.dataset.turnIcon : root.dataset.calmIcon);
  reached(page.moves);
  if (page.mine && wasMine === false) callBack(page.title);
  let html = page.html;
  const open = mayShow(page);
  if (!open) html = without(html, SECRET);
  else if (isLooking()) {
    html = without(html, ["scene"]);
    if (page.moves !== had) meanwhile(page);
  }
  const moved = swap(html);
  if (me.seat !== "" && !root.querySelector(`.seats .me[data-seat="${me.seat}"]`)) standUp();
  if (wasPlaying && root.querySelector(".status.finished")) tone("end", 0.3);
  else if (page.mine && wasMine === false) tone("turn", 0.3);
  return moved;
}

// To set the same one again would load and draw it again.
function showIcon(wanted) {
  if (byId("icon").getAttribute("href") !== wanted) byId("icon").href = wanted;
}

// Somebody else has the seat now: the host may have given it away.
function standUp() {
  me.seat = root.dataset.seat = "";
  byId("say")?.remove();
  byId("phrases")?.remove();
  complain(root.dataset.unseated);
}

function toLastRemark() {
  const remarks = byId("remarks");
  const last = remarks?.lastElementChild;
  if (!last) return;
  remarks.scrollTop = remarks.scrollHeight;
  if ("remarks" in shown && last.getBoundingClientRect().top > innerHeight) overhear(last);
}

// On a phone the talk is below what one sees: what is said there stands on top for a while.
function overhear(remark) {
  const overheard = byId("overheard");
  overheard.replaceChildren(...remark.cloneNode(true).childNodes);
  overheard.hidden = false;
  clearTimeout(overhear.timer);
  overhear.timer = setTimeout(() => (overheard.hidden = true), 8000);
}

const without = (html, names) =>
  Object.fromEntries(Object.entries(html).filter(([name]) => !names.includes(name)));

let shown = {};
const came = new Map(); // the parts as the page came with them, until they are swapped
for (const part of root.querySelectorAll("main > [id], aside [id], #guide")) came.set(part.id, part.innerHTML);
const arrived = came.get("scene"); // to come back to, if nothing has been sent yet
let waitsForChoice = false; // the focus was on a choice that is gone

function swap(html) {
  const focused = document.activeElement?.closest?.("[id], [data-play], [data-do], [data-look]");
  const again = focused && addressOf(focused);
  const opened = [...root.querySelectorAll("details[open][id]")].map((element) => element.id);
  const entered = whatIsEntered();
  const before = measured();
  const moved = "scene" in html && shown.scene !== html.scene;
  const first = !shown.scene;
  for (const [name, text] of Object.entries(html)) {
    const part = byId(name);
    if (!part || shown[name] === text || isAsItCame(name, text)) continue;
    part.innerHTML = text;
    came.delete(name);
    if (name === "remarks") toLastRemark();
  }
  shown = { ...shown, ...html };
  if (moved) {
    const taken = glide(before);
    if (!first) tone("laid");
    if (taken) tone("taken", 0.2);
  }
  for (const name of opened) if (byId(name)) byId(name).open = true;
  enterAgain(entered);
  markWhatIsLeft();
  refocus(focused, again);
  fillFields();
  present();
  markLine();
  const next = byId("next");
  if (following && next) location.href = next.href;
  return moved;
}

// The first page that is sent is most often the one that is shown: swapping it would undo a press of the mouse.
function isAsItCame(name, text) {
  if (name in shown || !came.has(name)) return false;
  const parsed = document.createElement("template");
  parsed.innerHTML = text;
  return parsed.innerHTML === came.get(name);
}

// A name half typed or a level chosen stays when the part around it is swapped.
const whatIsEntered = () =>
  [...root.querySelectorAll("input[id]:not([readonly]), select[id]")].map((field) => {
    const { id: name, value, selectionStart: from, selectionEnd: to } = field;
    return { field, name, value, from, to };
  });

function enterAgain(entered) {
  for (const { field, name, value, from, to } of entered) {
    const same = byId(name);
    if (!same || same === field) continue;
    same.value = value;
    if (from !== undefined && from !== null) same.setSelectionRange(from, to);
  }
}

function addressOf(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  for (const name of ["play", "look"])
    if (element.dataset[name]) return `[data-${name}="${CSS.escape(element.dataset[name])}"]`;
  return `[data-do="${element.dataset.do}"][data-fields="${CSS.escape(element.dataset.fields || "")}"]`;
}

function refocus(focused, again) {
  if (again && !document.contains(focused)) {
    const same = root.querySelector(again);
    if (same) same.focus({ preventScroll: true });
    else {
      waitsForChoice = byKeyboard() && Boolean(focused.dataset.play || focused.id === "hint");
      main.focus({ preventScroll: true });
    }
  }
  const first = root.querySelector("[data-play]");
  if (waitsForChoice && first && document.activeElement === main) {
    waitsForChoice = false;
    first.focus({ preventScroll: true });
  }
}

letLookBack(swap, () => {
  swap(latest?.html ?? { scene: arrived });
  if (latest) settle(latest);
});
letPass((curtain) => {
  queue.length = 0;
  shown = {};
  came.clear();
  for (const part of SECRET.map(byId).filter(Boolean)) part.innerHTML = part.id === "scene" ? curtain : "";
  mark(null);
});

/* What people do */

letChoose(
  (choice) => {
    if (isPlaying()) return; // one at a time
    choice.classList.add("sent");
    send({ do: "play", seat: Number(me.seat), action: choice.dataset.play });
  },
  (target) => {
    const button = target.closest("[data-do], [data-look], [data-become], [data-copy], button");
    if (!button) return false;
    const { do: what, look: where, become: seat } = button.dataset;
    if (what) act(button);
    else if (where) look(where);
    else if (seat) take(seat);
    else if (button.dataset.copy) copy(button);
    else if (button.id === "hint") hint();
    else if (button.id === "reload") location.reload();
    return true;
  },
);
document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || !singleKeys() || event.target.matches("input, select, textarea")) return;
  openSettings();
});
byId("say")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const input = event.target.elements.text;
  if (input.value.trim()) send({ do: "say", seat: Number(me.seat), text: input.value.trim() });
  input.value = "";
});

function act(button) {
  if (button.dataset.confirm && !confirm(button.dataset.confirm)) return;
  const fields = JSON.parse(button.dataset.fields || "{}");
  const what = button.dataset.do;
  if (what === "rematch") following = true;
  if (what === "say") fields.seat = Number(me.seat);
  if (what === "seatbot") fields.level = button.parentNode.querySelector("select").value;
  if (what === "sit") sit(fields);
  else send({ do: what, ...fields });
}

// To sit down sets the cookie, which a WebSocket can't: so it goes by HTTP, and the page is opened anew.
async function sit(fields) {
  const other = byId("other-name"); // somebody else at the same screen
  const input = other ?? byId("name");
  const name = (fields.name || input?.value || "").trim();
  if (!name) {
    complain(root.dataset.nameless);
    input?.focus();
    return;
  }
  if (!fields.name && !other) localStorage.setItem("name", name);
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
  const whole = { at: newest, key: randomHex(8), ...command };
  if (await asked(`/api/tables/${id}/commands`, whole)) location.reload();
}

// Another seat at this screen; what its player has missed comes before the page as it is now.
async function take(seat) {
  const inTurn = isCovered();
  const missed = await become(seat, inTurn ? null : latest?.moves ?? null);
  shown = {};
  came.clear();
  queue.splice(0, queue.length, ...missed.map(({ html }) => ({ html, retold: true })));
  waitsForChoice = byKeyboard();
  main.focus({ preventScroll: true });
  if (showing === null) showNext();
}

async function hint() {
  const found = await asked(`/api/tables/${id}/hint`, { seat: Number(me.seat) });
  const choice = found && root.querySelector(`[data-play="${CSS.escape(found.action)}"]`);
  if (!choice) return;
  const says = `${found.level}: ${found.says}`;
  choice.focus({ preventScroll: true });
  mark(choice, says);
  aloud(says);
}

/* What the server says */

let seatsHere = [];

function hear(message) {
  if (message.type === "page") arrive(message);
  else if (message.type === "done") {
    const { do: what, seat } = answered(message.key) || {};
    if (what === "leave") location.reload(); // the seat may not be ours any longer
    if (what === "link") shareSeat(seat, message.told.secret);
  } else if (message.type === "refused") {
    const { do: what, text } = answered(message.key) || {};
    const input = byId("say")?.elements.text;
    if (what === "say" && text && !input?.value) input.value = text; // to mend it
    for (const element of root.querySelectorAll(".sent")) element.classList.remove("sent");
    complain(message.says);
  } else if (message.type === "present") {
    seatsHere = message.seats;
    present();
  }
}

function present() {
  for (const item of root.querySelectorAll(".seats [data-seat]"))
    item.classList.toggle("here", seatsHere.includes(Number(item.dataset.seat)));
}

const replay = sessionStorage.getItem(`from ${id}`); // where a game goes on from, if it does
if (replay) {
  byId("origin").href = replay;
  byId("origin").parentElement.hidden = false;
}

if (fragment.startsWith("seat.")) claim();
fillFields();
toLastRemark();
if (wasTurnedAway()) complain(root.dataset.unseated);
connect(hear);
