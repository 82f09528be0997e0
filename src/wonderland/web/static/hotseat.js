// Hotseat play: several players share one screen, and a curtain covers secrets until the next of them takes it.

import { byId, me, root } from "./dom.js";
import { pace, viewingTime } from "./settings.js";
import { reconnect } from "./connection.js";
import { clearHistory, isInHistory, pageAt } from "./history.js";

const MAX_MISSED = 8; // moves shown again to a player who was away from the screen
const seenMoves = new Map(); // seat -> number of moves its player has seen
let takenOutOfTurnAt = null; // who took the screen out of turn keeps it until the number of moves changes
let shownCurtain = null;
let timer = null;
let hasBegun = root.querySelector(".status.playing") !== null;
let clearPage = () => {};

// Kept in an attribute of the page, for the stylesheet and the history to see.
export const isCovered = () => "covered" in root.dataset;
const setCovered = (covered) => root.toggleAttribute("data-covered", covered);

// `onCover` replaces everything secret with a curtain, given as HTML.
export function setUpHotseat(onCover) {
  clearPage = onCover;
}

function cover(page) {
  setCovered(true);
  clearHistory();
  showCurtain(page.curtain);
  byId("curtain-title").focus({ preventScroll: true });
}

function showCurtain(curtain) {
  if (curtain === shownCurtain) return;
  const hadFocus = byId("scene").contains(document.activeElement);
  shownCurtain = curtain;
  clearPage(curtain);
  if (hadFocus) byId("curtain-title").focus({ preventScroll: true });
}

// Covers or uncovers the screen for a new page, and returns whether the page may be shown as it is. The screen is covered
// when a game starts, since nobody has said yet who is looking.
export function updateCover(page) {
  const begins = !hasBegun && Boolean(page.curtain);
  hasBegun ||= page.moves > 0 || Boolean(page.curtain);
  if (isCovered() && !page.curtain) {
    setCovered(false);
    shownCurtain = null;
    return true;
  }
  if (begins && !isCovered()) cover(page);
  else if (isCovered()) showCurtain(page.curtain);
  return !isCovered();
}

// Passes the screen on after the last page of the queue, if it is another player's turn.
export function scheduleHandover(page) {
  clearTimeout(timer);
  if (!isCovered()) seenMoves.set(me.seat, page.moves);
  const isForOther = page.pass_to !== null && String(page.pass_to) !== me.seat;
  if (takenOutOfTurnAt !== page.moves) takenOutOfTurnAt = null;
  if (!isForOther || isCovered() || takenOutOfTurnAt !== null || isInHistory()) return;
  timer = setTimeout(() => (page.curtain ? cover(page) : switchSeat(String(page.pass_to))), viewingTime());
}

// Switches the page to another seat; returns the pages that its player has missed. `moves` is set if out of turn.
export async function switchSeat(seat, moves = null) {
  clearTimeout(timer);
  takenOutOfTurnAt = moves;
  const wasCovered = isCovered();
  const seen = seenMoves.get(seat);
  me.seat = seat;
  root.dataset.seat = seat;
  history.replaceState(null, "", `?seat=${seat}`);
  clearHistory();
  setCovered(false);
  shownCurtain = null;
  const missed = [];
  const total = Number(root.dataset.moves);
  if (wasCovered && seen !== undefined && pace() && byId("past").querySelector("[data-look]"))
    for (let n = Math.max(seen + 1, total - MAX_MISSED); n < total; n++) missed.push(await pageAt(n));
  reconnect();
  return missed.filter(Boolean);
}
