// The page of a table: swaps the parts that the server sends, animates moves, keeps the focus, and sends commands.
// It knows no game and no rules.

import { contribute, keepShuffle, randomHex } from "./api.js";
import { byId, id, main, me, root, showError, tryCallApi } from "./dom.js";
import { setUpDeck } from "./deck.js";
import { drawPieces } from "./pictures.js";
import { countFinishedGame, notifyTurn, openSettings, singleKeysEnabled } from "./settings.js";
import { playSound, playSounds } from "./sound.js";
import { dropStaleHighlight, handleChoices, highlightChoice, isUsingKeyboard } from "./choices.js";
import { isChatVisible, noteUnread, setUpDrawer } from "./drawer.js";
import { connect, sendCommand, takePending, wasSeatLost } from "./connection.js";
import { handleDragging } from "./drag.js";
import { showHint } from "./hint.js";
import { goToMoment, highlightLogLine, isInHistory, setTotal, setUpHistory, showMeanwhile } from "./history.js";
import { animateMoves, measurePositions } from "./animation.js";
import { endFinale, playFinale } from "./finale.js";
import { isCovered, scheduleHandover, setUpHotseat, switchSeat, updateCover } from "./hotseat.js";
import { registerServiceWorker, showBadge } from "./web-app.js";
import { enqueuePage, isMoveBeingShown, newestVersion, replaceQueue, setUpQueue, showQueued, skipTo } from "./page-queue.js";
import { showRemark } from "./remarks.js";
import { showOpponents } from "./opponents.js";
import { playAgain, startFullTable } from "./rematch.js";
import { copyField, fillFields, fragment, invitation, shareSeat } from "./links.js";
import { showPresence, updatePresence } from "./presence.js";
import { acceptSent, hasSent, markSent, refuseSent, settleSent, showSent } from "./sent.js";

/* Pages from the server: page-queue.js says when one of them is shown */

const SECRET_PARTS = ["scene", "log", "news", "guide"]; // what only the seat may know
let latest = null; // the newest page that was shown
let leavesTo = ""; // where to go after leaving the table, if not back to it

setUpQueue(
  (page, isLaid) => (page.isMissed ? swapParts(page.html) : showPage(page, isLaid)),
  () => latest && scheduleHandover(latest),
);

function receivePage(page) {
  if (page.release !== root.dataset.release) byId("new-version").hidden = false;
  enqueuePage(page);
}

function showPage(page, isLaid) {
  const wasMine = latest?.mine;
  const movesBefore = Number(root.dataset.moves);
  const wasPlaying = root.querySelector(".status.playing");
  latest = page;
  settleSent(page.version);
  root.dataset.version = page.version;
  root.dataset.moves = page.moves;
  document.title = page.title;
  showBadge(page.mine);
  showIcon(page.mine ? root.dataset.turnIcon : root.dataset.calmIcon);
  setTotal(page.moves);
  if (page.mine && wasMine === false) notifyTurn(page.title);
  let html = page.html;
  if (!updateCover(page)) html = omit(html, SECRET_PARTS);
  else if (isInHistory()) {
    html = omit(html, ["scene"]);
    if (page.moves !== movesBefore) showMeanwhile(page);
  }
  const moved = swapParts(html, isLaid);
  if (me.seat !== "" && !root.querySelector(`.seats .me[data-seat="${me.seat}"]`)) {
    if (root.querySelector(".seats .me")) location.reload(); // the seats have been renumbered
    else loseSeat();
  }
  const isOver = wasPlaying && root.querySelector(".status.finished");
  if (isOver && me.seat !== "") countFinishedGame();
  if (isOver && !isInHistory()) playFinale(() => showRemark(page.html.remark)); // a remark would give the result away
  else if (moved && !isInHistory()) showRemark(page.html.remark);
  if (!isOver && page.mine && wasMine === false) playSound("turn", 0.3);
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
  if (!("remarks" in shownParts) || isChatVisible()) return;
  noteUnread();
  previewMessage(last);
}

// While the drawer is closed, show a new message on top for a while.
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
for (const part of root.querySelectorAll("main [id], aside [id], #help")) initialParts.set(part.id, part.innerHTML);
const initialScene = initialParts.get("scene"); // to return to from the history before anything has been sent
let focusesNextChoice = false; // after the choice that had the focus is gone

// Replaces the parts of the page that have changed; returns whether the scene has.
function swapParts(html, isLaid = false) {
  const focused = document.activeElement?.closest?.("[id], [data-play], [data-do], [data-look], [data-piece]");
  const selector = focused && selectorFor(focused);
  const openMenus = [...root.querySelectorAll("details[open][id]")].map((element) => element.id);
  const fields = readFields();
  const before = measurePositions();
  const moved = "scene" in html && shownParts.scene !== html.scene;
  const isFirst = !shownParts.scene;
  if (moved) endFinale();
  for (const [name, text] of Object.entries(html)) {
    const part = byId(name);
    if (!part || shownParts[name] === text || isUnchanged(name, text)) continue;
    part.innerHTML = text;
    initialParts.delete(name);
    if (name === "remarks") scrollChat();
    if (name === "news") drawPieces(part);
  }
  shownParts = { ...shownParts, ...html };
  if (moved) {
    fillDrawer();
    endBriefMarks();
    const sounds = animateMoves(before, isLaid);
    if (!isFirst) playSounds(sounds);
  }
  for (const name of openMenus) if (byId(name)) byId(name).open = true;
  restoreFields(fields);
  dropStaleHighlight();
  restoreFocus(focused, selector);
  fillFields();
  showPresence();
  showSent();
  highlightLogLine();
  showOpponents();
  startFullTable();
  return moved;
}

// Removes what a scene shows for a moment only (`data-shown-for`, in milliseconds), also where nothing may move.
function endBriefMarks() {
  for (const mark of byId("scene").querySelectorAll("[data-shown-for]")) {
    setTimeout(() => mark.remove(), Number(mark.dataset.shownFor));
  }
}

// Shows what a scene has for the drawer.
function fillDrawer() {
  const given = byId("scene").querySelector("template.for-drawer");
  byId("of-scene").replaceChildren(...(given ? [given.content.cloneNode(true)] : []));
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
  for (const name of ["play", "look", "piece"])
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

setUpDeck();
drawPieces(byId("news"));
fillDrawer();
setUpHistory(swapParts, () => {
  swapParts(latest?.html ?? { scene: initialScene });
  if (latest) scheduleHandover(latest);
});
setUpHotseat((curtain) => {
  replaceQueue([]);
  shownParts = {};
  initialParts.clear();
  for (const part of SECRET_PARTS.map(byId).filter(Boolean)) part.innerHTML = part.id === "scene" ? curtain : "";
  highlightChoice(null);
});

/* Input */

// A second click, or one on another choice, changes nothing: the first counts.
function play(choice) {
  if (hasSent() || isMoveBeingShown()) return;
  const action = choice.dataset.play;
  markSent(action, sendCommand({ do: "play", seat: Number(me.seat), action }));
}

handleDragging(play, () => !hasSent() && !isMoveBeingShown());
handleChoices(
  play,
  (target, { detail: clicks }) => {
    const button = target.closest("[data-do], [data-look], [data-become], [data-copy], button");
    if (button?.id === "confirm") return true;
    if (!button) return false;
    const { do: what, look: where, become: seat } = button.dataset;
    if (what === "leave" && clicks > 1) return true; // a double click clears a seat, and doesn't also remove it
    if (what) runCommand(button);
    else if (where) goToMoment(where);
    else if (seat) takeScreen(seat);
    else if (button.dataset.copy) copyField(button);
    else if (button.dataset.rematch) playAgain(button);
    else if (button.id === "hint") showHint();
    else if ("letPlay" in button.dataset) root.classList.add("bot-plays-on");
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
  if (what === "leave") leavesTo = button.dataset.then;
  if (what === "say") fields.seat = Number(me.seat);
  if (what === "seatbot") fields.level ??= button.parentNode.querySelector("select").value;
  if (what === "sit") sitDown(fields);
  else if (what === "claim") postCommand({ do: what, ...fields }); // to reload the page with the seat
  else sendCommand({ do: what, ...fields });
}

// Sitting down sets the device cookie, which a WebSocket can't: so it goes over HTTP, and the page is reloaded.
async function sitDown(fields) {
  const other = byId("other-name"); // another player at this screen
  const input = other ?? byId("name");
  const name = (fields.name || input?.value || "").trim();
  if (!name) {
    showError(other ? root.dataset.namelessOther : root.dataset.nameless);
    input?.focus();
    return;
  }
  if (!fields.name && !other) localStorage.setItem("name", name);
  const secret = invitation();
  if (secret) fields.invitation = secret;
  const portrait = (!other && localStorage.getItem("portrait")) || "";
  const command = { do: "sit", contribution: contribute(id, root.dataset.commitment), portrait, ...fields, name };
  if (!(await postCommand(command)) && input) byId(input.id)?.select(); // the name may be taken
}

// Claims the seat of the link that was opened.
async function claimSeat() {
  const [, number, secret] = fragment.split(".");
  history.replaceState(null, "", location.pathname);
  sessionStorage.removeItem(`link.${id}`);
  keepShuffle(id, { claimed: Number(number) });
  await postCommand({ do: "claim", seat: Number(number), secret });
}

// Other tabs at this table, which may have been opened before this device was known.
const tabs = new BroadcastChannel(`table.${id}`);
tabs.onmessage = () => me.seat === "" && location.reload();

// Sends a command over HTTP and reloads the page, with the seat; returns whether it was accepted.
async function postCommand(command) {
  const whole = { at: newestVersion(), key: randomHex(8), ...command };
  if (!(await tryCallApi(`/api/tables/${id}/commands`, whole))) return false;
  tabs.postMessage("seated");
  location.reload();
  return true;
}

// Switches to another seat at this screen, and shows what its player has missed before the current page.
async function takeScreen(seat) {
  const isInTurn = isCovered();
  const missed = await switchSeat(seat, isInTurn ? null : latest?.moves ?? null);
  shownParts = {};
  initialParts.clear();
  replaceQueue(missed.map(({ html, moves }) => ({ html, moves, isMissed: true })));
  focusesNextChoice = isUsingKeyboard();
  main.focus({ preventScroll: true });
  showQueued();
}

/* Messages from the server */

function handleMessage(message) {
  if (message.type === "page") receivePage(message);
  else if (message.type === "done") {
    const { do: what, seat } = takePending(message.key) || {};
    acceptSent(message.key, message.version);
    if (what === "play" || what === "propose") skipTo(message.version);
    if (what === "leave") leavesTo ? location.assign(leavesTo) : location.reload(); // the seat may no longer be ours
    if (what === "link") shareSeat(seat, message.told.secret);
  } else if (message.type === "refused") {
    const { do: what, text } = takePending(message.key) || {};
    const input = byId("say")?.elements.text;
    if (what === "say" && text && !input?.value) input.value = text; // to correct and resend it
    refuseSent(message.key);
    if (what === "start" && message.code === "already-started") return; // somebody else has started the game
    showError(message.says, message.rule);
  } else if (message.type === "present") updatePresence(message);
}

const replay = sessionStorage.getItem(`from ${id}`); // the replay that this game continues, if any
if (replay) {
  byId("origin").href = replay;
  byId("origin").parentElement.hidden = false;
}

registerServiceWorker();
if (fragment.startsWith("seat.")) claimSeat();
else if (fragment && me.seat === "" && root.querySelector(".status.playing")) showError(root.dataset.late);
fillFields();
showOpponents();
setUpDrawer(scrollChat);
scrollChat();
if (wasSeatLost()) showError(root.dataset.unseated);
connect(handleMessage);
