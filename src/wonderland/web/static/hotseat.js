// One screen for several players: what is secret goes away until the next of them sits before it.

import { byId, me, root } from "./dom.js";
import { moment as timeToLook, pace } from "./settings.js";
import { reconnect } from "./connection.js";
import { forget, isLooking, pageAt } from "./history.js";

const MOST_RETOLD = 8; // moves that are shown again to who was not at the screen
const seen = new Map(); // seat -> how many moves its player has seen
let stays = null; // who took the screen out of turn keeps it until something is played
let hangs = null; // the curtain that is shown
let timer = null;
let begun = root.querySelector(".status.playing") !== null;
let clear = () => {};

// Whether it is covered stands on the page, where the looks of it and those who look back find it.
export const isCovered = () => "covered" in root.dataset;
const setCovered = (now) => root.toggleAttribute("data-covered", now);

export function letPass(clearPage) {
  clear = clearPage;
}

function cover(page) {
  setCovered(true);
  forget();
  hang(page.curtain);
  byId("curtain-title").focus({ preventScroll: true });
}

function hang(curtain) {
  if (curtain === hangs) return;
  const focused = byId("scene").contains(document.activeElement);
  hangs = curtain;
  clear(curtain);
  if (focused) byId("curtain-title").focus({ preventScroll: true });
}

// Whether a page may be shown as it is. When a game begins nobody has said yet who sits there.
export function mayShow(page) {
  const begins = !begun && Boolean(page.curtain);
  begun ||= page.moves > 0 || Boolean(page.curtain);
  if (isCovered() && !page.curtain) {
    setCovered(false);
    hangs = null;
    return true;
  }
  if (begins && !isCovered()) cover(page);
  else if (isCovered()) hang(page.curtain);
  return !isCovered();
}

// After a page has been shown, and no other waits: perhaps it is for somebody else now.
export function settle(page) {
  clearTimeout(timer);
  if (!isCovered()) seen.set(me.seat, page.moves);
  const other = page.pass_to !== null && String(page.pass_to) !== me.seat;
  if (stays !== page.moves) stays = null;
  if (!other || isCovered() || stays !== null || isLooking()) return;
  timer = setTimeout(() => (page.curtain ? cover(page) : become(String(page.pass_to))), timeToLook());
}

// The page becomes that of another seat, and shows what happened since its player looked at it.
export async function become(seat, moves = null) {
  clearTimeout(timer);
  stays = moves;
  const wasCovered = isCovered();
  const known = seen.get(seat);
  me.seat = seat;
  root.dataset.seat = seat;
  history.replaceState(null, "", `?seat=${seat}`);
  forget();
  setCovered(false);
  hangs = null;
  const missed = [];
  const count = Number(root.dataset.moves);
  if (wasCovered && known !== undefined && pace() && byId("past").querySelector("[data-look]"))
    for (let n = Math.max(known + 1, count - MOST_RETOLD); n < count; n++) missed.push(await pageAt(n));
  reconnect();
  return missed.filter(Boolean);
}
