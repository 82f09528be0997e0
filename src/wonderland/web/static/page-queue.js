// Pages from the server: queued, and shown one after another at the chosen pace, each with a caption of its move.

import { playBeats } from "./beats.js";
import { byId, me, parseHtml, root } from "./dom.js";
import { isInHistory } from "./history.js";
import { isCovered } from "./hotseat.js";
import { drawPieces } from "./pictures.js";
import { pace, singleKeysEnabled } from "./settings.js";

const MAX_QUEUED = 12; // beyond that only the newest is shown
const LAST_CAPTION = 2500; // milliseconds that the caption of the latest move stays
const CONTROLS = "a, button, input, select, summary, textarea, label, dialog, .seat, .panel, [data-target], [tabindex='0']";

const told = byId("told");
const queue = [];
let newest = Number(root.dataset.version);
let shownMoves = Number(root.dataset.moves); // of the scene that is shown; null if it is covered
let prepared = null; // the page whose move is being shown in beats
let showTimer = null; // until the next page is shown
let captionTimer = null;
let isSkipping = false; // while bots move
let show = () => {};
let onIdle = () => {};

export const newestVersion = () => newest;
export const isMoveBeingShown = () => prepared !== null;

// `showPage` swaps in a page, given whether its first step has been shown already, and returns whether the scene has changed.
export function setUpQueue(showPage, whenIdle) {
  [show, onIdle] = [showPage, whenIdle];
}

export function enqueuePage(page) {
  if (page.version < newest) return;
  newest = page.version;
  if (queue.length && queue.at(-1).version === page.version) queue.pop();
  queue.push(page);
  if (queue.length > MAX_QUEUED || document.hidden || pace() === 0 || isSkipping) showNewest();
  else if (showTimer === null && !prepared) showNext();
}

// Shows the newest page at once, and nothing in between.
function showNewest() {
  const newestPage = queue.at(-1) ?? prepared;
  keepOnly(newestPage ? [newestPage] : []);
  clearTimeout(showTimer);
  showNext();
}

function keepOnly(pages) {
  queue.splice(0, queue.length, ...pages);
  prepared = null;
  root.classList.remove("moving");
}

// Replaces all that waits to be shown, after the screen was covered: what its next player has missed, or nothing.
export function replaceQueue(pages) {
  keepOnly(pages);
  clearCaption();
  shownMoves = null;
}

// Shows at once what the player did: moves that were still waiting to be shown are skipped.
export function skipTo(version) {
  const isNext = Number(root.dataset.version) >= version || prepared?.version >= version;
  if (isNext || isCovered()) return;
  keepOnly(queue.filter((page) => page.version >= version));
  clearTimeout(showTimer);
  showTimer = null;
  if (queue.length) showNext();
}

// Starts to show what is queued, unless it is already being shown.
export function showQueued() {
  if (showTimer === null) showNext();
}

// Shows the last move in beats before the page, if the page follows the one that is shown.
async function prepare(page) {
  const follows = shownMoves !== null && page.moves === shownMoves + 1;
  if (!follows || isSkipping || isInHistory() || isCovered()) return false;
  showCaption(page);
  return playBeats(page.html.scene);
}

async function showNext() {
  showTimer = null;
  const page = queue.shift();
  if (!page) {
    captionTimer = setTimeout(clearCaption, LAST_CAPTION);
    return onIdle();
  }
  prepared = page;
  const isLaid = await prepare(page);
  if (prepared !== page) return; // another page was shown meanwhile
  prepared = null;
  const moved = show(page, isLaid);
  shownMoves = page.moves;
  isSkipping &&= Boolean(root.querySelector(".seats .to-act[data-bot]"));
  if (pace() && moved && !isSkipping) showTimer = setTimeout(showNext, pace());
  else showNext();
}

/* The caption: what a move was and what it cost, in the ribbon while the move is shown */

function showCaption(page) {
  clearTimeout(captionTimer);
  told.textContent = pace() ? (parseHtml(page.html.news).querySelector(".gist")?.textContent ?? "") : "";
  drawPieces(told);
}

function clearCaption() {
  clearTimeout(captionTimer);
  told.textContent = "";
}

/* Skipping: a touch on the stage, or a key, shows at once all that the bots do */

function skip() {
  if (!prepared && !queue.length && showTimer === null) return false;
  isSkipping = me.seat !== "";
  clearCaption();
  showNewest();
  return true;
}

root.querySelector(".stage").addEventListener("click", (event) => {
  if (!event.target.closest(CONTROLS)) skip();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== " " || !singleKeysEnabled() || event.target.closest?.(CONTROLS)) return;
  if (skip()) event.preventDefault();
});
