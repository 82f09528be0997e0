// The page of a table: swaps the parts that the server sends, animates moves, keeps the focus, and sends commands.
// It knows no game and no rules.

import { randomHex } from "./api.js";
import { announce, byId, id, main, me, root, showError, tryCallApi } from "./dom.js";
import { notifyTurn, openSettings, pace, playTone, singleKeysEnabled } from "./settings.js";
import { dropStaleHighlight, handleChoices, highlightChoice, isUsingKeyboard } from "./choices.js";
import { connect, hasPendingPlay, sendCommand, takePending, wasSeatLost } from "./connection.js";
import { goToMoment, highlightLogLine, isInHistory, setTotal, setUpHistory, showMeanwhile } from "./history.js";
import { animateMoves, measurePositions } from "./animation.js";
import { isCovered, scheduleHandover, setUpHotseat, switchSeat, updateCover } from "./hotseat.js";
import { copyField, fillFields, fragment, invitation, shareSeat } from "./links.js";

/* Pages from the server: queued, and shown one after another at the chosen pace */

const MAX_QUEUED = 12; // beyond that only the newest is shown
const SECRET_PARTS = ["scene", "log", "news", "guide"]; // what only the seat may know
const queue = [];
let newestVersion = Number(root.dataset.version);
let showTimer = null; // until the next page is shown
let latest = null; // the newest page that was shown
let followsRematch = false; // whether to go to the rematch once it exists

function enqueuePage(page) {
  if (page.release !== root.dataset.release) byId("new-version").hidden = false;
  if (page.version < newestVersion) return;
  newestVersion = page.version;
  if (queue.length && queue.at(-1).version === page.version) queue.pop();
  queue.push(page);
  if (queue.length > MAX_QUEUED || document.hidden || pace() === 0) {
    queue.splice(0, queue.length - 1);
    clearTimeout(showTimer);
    showTimer = null;
  }
  if (showTimer === null) showNext();
}

function showNext() {
  showTimer = null;
  const page = queue.shift();
  if (!page) {
    if (latest) scheduleHandover(latest);
    return;
  }
  const moved = page.isMissed ? swapParts(page.html) : showPage(page);
  if (pace() && moved) showTimer = setTimeout(showNext, pace());
  else showNext();
}

function showPage(page) {
  const wasMine = latest?.mine;
  const movesBefore = Number(root.dataset.moves);
  const wasPlaying = root.querySelector(".status.playing");
  latest = page;
  root.dataset.version = page.version;
  root.dataset.moves = page.moves;
  document.title = page.title;
  showIcon(page.mine ? root.dataset.turnIcon : root.dataset.calmIcon);
  setTotal(page.moves);
  if (page.mine && wasMine === false) notifyTurn(page.title);
  let html = page.html;
  if (!updateCover(page)) html = omit(html, SECRET_PARTS);
  else if (isInHistory()) {
    html = omit(html, ["scene"]);
    if (page.moves !== movesBefore) showMeanwhile(page);
  }
  const moved = swapParts(html);
  if (me.seat !== "" && !root.querySelector(`.seats .me[data-seat="${me.seat}"]`)) loseSeat();
  if (wasPlaying && root.querySelector(".status.finished")) playTone("end", 0.3);
  else if (page.mine && wasMine === false) playTone("turn", 0.3);
  return moved;
}

// Setting the same address again would reload the icon.
function showIcon(url) {
  if (byId("icon").getAttribute("href") !== url) byId("icon").href = url;
}

// The seat belongs to somebody else now: the host may have made a new link to it.
function loseSeat() {
  me.seat = root.dataset.seat = "";
  byId("say")?.remove();
  byId("phrases")?.remove();
  showError(root.dataset.unseated);
}

function scrollChat() {
  const messages = byId("remarks");
  const last = messages?.lastElementChild;
  if (!last) return;
  messages.scrollTop = messages.scrollHeight;
  if ("remarks" in shownParts && last.getBoundingClientRect().top > innerHeight) previewMessage(last);
}

// On a phone the chat is below the fold: show a new message on top for a while.
function previewMessage(message) {
  const preview = byId("chat-preview");
  preview.replaceChildren(...message.cloneNode(true).childNodes);
  preview.hidden = false;
  clearTimeout(previewMessage.timer);
  previewMessage.timer = setTimeout(() => (preview.hidden = true), 8000);
}

const omit = (html, names) =>
  Object.fromEntries(Object.entries(html).filter(([name]) => !names.includes(name)));

let shownParts = {};
const initialParts = new Map(); // the parts that were loaded with the page, until they are swapped
for (const part of root.querySelectorAll("main > [id], aside [id], #guide")) initialParts.set(part.id, part.innerHTML);
const initialScene = initialParts.get("scene"); // to return to from the history before anything has been sent
let focusesNextChoice = false; // after the choice that had the focus is gone

// Replaces the parts of the page that have changed; returns whether the scene has.
function swapParts(html) {
  const focused = document.activeElement?.closest?.("[id], [data-play], [data-do], [data-look]");
  const selector = focused && selectorFor(focused);
  const openMenus = [...root.querySelectorAll("details[open][id]")].map((element) => element.id);
  const fields = readFields();
  const before = measurePositions();
  const moved = "scene" in html && shownParts.scene !== html.scene;
  const isFirst = !shownParts.scene;
  for (const [name, text] of Object.entries(html)) {
    const part = byId(name);
    if (!part || shownParts[name] === text || isUnchanged(name, text)) continue;
    part.innerHTML = text;
    initialParts.delete(name);
    if (name === "remarks") scrollChat();
  }
  shownParts = { ...shownParts, ...html };
  if (moved) {
    const hasTaken = animateMoves(before);
    if (!isFirst) playTone("placed");
    if (hasTaken) playTone("taken", 0.2);
  }
  for (const name of openMenus) if (byId(name)) byId(name).open = true;
  restoreFields(fields);
  dropStaleHighlight();
  restoreFocus(focused, selector);
  fillFields();
  showPresence();
  highlightLogLine();
  const next = byId("next");
  if (followsRematch && next) location.href = next.href;
  return moved;
}

// Whether a part is still as it was loaded. The first page sent usually is: swapping it would cancel a click in progress.
function isUnchanged(name, text) {
  if (name in shownParts || !initialParts.has(name)) return false;
  const parsed = document.createElement("template");
  parsed.innerHTML = text;
  return parsed.innerHTML === initialParts.get(name);
}

// Input that survives when the part around it is swapped: a name half typed, a chosen level.
const readFields = () =>
  [...root.querySelectorAll("input[id]:not([readonly]), select[id]")].map((field) => {
    const { id: name, value, selectionStart: from, selectionEnd: to } = field;
    return { field, name, value, from, to };
  });

function restoreFields(fields) {
  for (const { field, name, value, from, to } of fields) {
    const same = byId(name);
    if (!same || same === field) continue;
    same.value = value;
    if (from !== undefined && from !== null) same.setSelectionRange(from, to);
  }
}

function selectorFor(element) {
  if (element.id) return `#${CSS.escape(element.id)}`;
  for (const name of ["play", "look"])
    if (element.dataset[name]) return `[data-${name}="${CSS.escape(element.dataset[name])}"]`;
  return `[data-do="${element.dataset.do}"][data-fields="${CSS.escape(element.dataset.fields || "")}"]`;
}

// Restores the focus to the element's replacement; to the next choice, if a choice is gone and keys are used.
function restoreFocus(focused, selector) {
  if (selector && !document.contains(focused)) {
    const same = root.querySelector(selector);
    if (same) same.focus({ preventScroll: true });
    else {
      focusesNextChoice = isUsingKeyboard() && Boolean(focused.dataset.play || focused.id === "hint");
      main.focus({ preventScroll: true });
    }
  }
  const first = root.querySelector("[data-play]");
  if (focusesNextChoice && first && document.activeElement === main) {
    focusesNextChoice = false;
    first.focus({ preventScroll: true });
  }
}

setUpHistory(swapParts, () => {
  swapParts(latest?.html ?? { scene: initialScene });
  if (latest) scheduleHandover(latest);
});
setUpHotseat((curtain) => {
  queue.length = 0;
  shownParts = {};
  initialParts.clear();
  for (const part of SECRET_PARTS.map(byId).filter(Boolean)) part.innerHTML = part.id === "scene" ? curtain : "";
  highlightChoice(null);
});

/* Input */

handleChoices(
  (choice) => {
    if (hasPendingPlay()) return; // one at a time
    choice.classList.add("sent");
    sendCommand({ do: "play", seat: Number(me.seat), action: choice.dataset.play });
  },
  (target) => {
    const button = target.closest("[data-do], [data-look], [data-become], [data-copy], button");
    if (!button) return false;
    const { do: what, look: where, become: seat } = button.dataset;
    if (what) runCommand(button);
    else if (where) goToMoment(where);
    else if (seat) takeScreen(seat);
    else if (button.dataset.copy) copyField(button);
    else if (button.id === "hint") showHint();
    else if (button.id === "reload") location.reload();
    return true;
  },
);
document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || !singleKeysEnabled() || event.target.matches("input, select, textarea")) return;
  openSettings();
});
byId("say")?.addEventListener("submit", (event) => {
  event.preventDefault();
  const input = event.target.elements.text;
  if (input.value.trim()) sendCommand({ do: "say", seat: Number(me.seat), text: input.value.trim() });
  input.value = "";
});

// Sends the command of a button, completed with what the page knows.
function runCommand(button) {
  if (button.dataset.confirm && !confirm(button.dataset.confirm)) return;
  const fields = JSON.parse(button.dataset.fields || "{}");
  const what = button.dataset.do;
  if (what === "rematch") followsRematch = true;
  if (what === "say") fields.seat = Number(me.seat);
  if (what === "seatbot") fields.level = button.parentNode.querySelector("select").value;
  if (what === "sit") sitDown(fields);
  else sendCommand({ do: what, ...fields });
}

// Sitting down sets the device cookie, which a WebSocket can't: so it goes over HTTP, and the page is reloaded.
async function sitDown(fields) {
  const other = byId("other-name"); // another player at this screen
  const input = other ?? byId("name");
  const name = (fields.name || input?.value || "").trim();
  if (!name) {
    showError(root.dataset.nameless);
    input?.focus();
    return;
  }
  if (!fields.name && !other) localStorage.setItem("name", name);
  const secret = invitation();
  if (secret) fields.invitation = secret;
  await postCommand({ do: "sit", contribution: randomHex(32), ...fields, name });
}

// Claims the seat of the link that was opened.
async function claimSeat() {
  const [, number, secret] = fragment.split(".");
  history.replaceState(null, "", location.pathname);
  sessionStorage.removeItem(`link.${id}`);
  await postCommand({ do: "claim", seat: Number(number), secret });
}

async function postCommand(command) {
  const whole = { at: newestVersion, key: randomHex(8), ...command };
  if (await tryCallApi(`/api/tables/${id}/commands`, whole)) location.reload();
}

// Switches to another seat at this screen, and shows what its player has missed before the current page.
async function takeScreen(seat) {
  const isInTurn = isCovered();
  const missed = await switchSeat(seat, isInTurn ? null : latest?.moves ?? null);
  shownParts = {};
  initialParts.clear();
  queue.splice(0, queue.length, ...missed.map(({ html }) => ({ html, isMissed: true })));
  focusesNextChoice = isUsingKeyboard();
  main.focus({ preventScroll: true });
  if (showTimer === null) showNext();
}

async function showHint() {
  const hint = await tryCallApi(`/api/tables/${id}/hint`, { seat: Number(me.seat) });
  const choice = hint && root.querySelector(`[data-play="${CSS.escape(hint.action)}"]`);
  if (!choice) return;
  const text = `${hint.level}: ${hint.says}`;
  choice.focus({ preventScroll: true });
  highlightChoice(choice, text);
  announce(text);
}

/* Messages from the server */

let presentSeats = [];

function handleMessage(message) {
  if (message.type === "page") enqueuePage(message);
  else if (message.type === "done") {
    const { do: what, seat } = takePending(message.key) || {};
    if (what === "leave") location.reload(); // the seat may no longer be ours
    if (what === "link") shareSeat(seat, message.told.secret);
  } else if (message.type === "refused") {
    const { do: what, text } = takePending(message.key) || {};
    const input = byId("say")?.elements.text;
    if (what === "say" && text && !input?.value) input.value = text; // to correct and resend it
    for (const element of root.querySelectorAll(".sent")) element.classList.remove("sent");
    showError(message.says);
  } else if (message.type === "present") {
    presentSeats = message.seats;
    showPresence();
  }
}

function showPresence() {
  for (const item of root.querySelectorAll(".seats [data-seat]"))
    item.classList.toggle("here", presentSeats.includes(Number(item.dataset.seat)));
}

const replay = sessionStorage.getItem(`from ${id}`); // the replay that this game continues, if any
if (replay) {
  byId("origin").href = replay;
  byId("origin").parentElement.hidden = false;
}

if (fragment.startsWith("seat.")) claimSeat();
fillFields();
scrollChat();
if (wasSeatLost()) showError(root.dataset.unseated);
connect(handleMessage);
