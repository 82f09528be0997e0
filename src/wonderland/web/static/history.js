// Looking back: the game as it was, drawn by the server for the same viewer. It goes on meanwhile.

import { aloud, byId, id, main, me, root, textOf } from "./dom.js";
import { isForPage, markLines, pagesAt, stepOf } from "./timeline.js";

const banner = byId("looking");
const pages = pagesAt((number) => `/api/tables/${id}/page?at=${number}${me.seat === "" ? "" : `&seat=${me.seat}`}`);
let moment = null; // the one that is shown; null is now
let total = Number(root.dataset.moves); // decisions in the game so far
let asking = 0; // the number of the latest request
let show = () => {};
let showNow = () => {};

export const isLooking = () => moment !== null;

// `showPage` puts a page into the scene; `showPresent` puts the present one there again.
export function letLookBack(showPage, showPresent) {
  show = showPage;
  showNow = showPresent;
}

// How far the game has come. To take a move back changes the past.
export function reached(moves) {
  if (moves < total) forget();
  total = moves;
  if (moment !== null) name();
}

export function forget() {
  pages.forget();
  asking++;
  if (moment !== null) leave();
}

export const pageAt = pages.at;

export async function look(where) {
  if ("covered" in root.dataset) return; // nobody has said yet who looks
  const here = moment ?? total;
  const steps = { first: 0, back: here - 1, forth: here + 1, now: total };
  const wanted = Math.max(0, where in steps ? steps[where] : Number(where));
  if (wanted >= total) {
    asking++;
    if (moment === null) return;
    leave();
    showNow();
    return;
  }
  const request = ++asking;
  const page = await pageAt(wanted);
  if (page === null || request !== asking) return;
  if (moment === null) banner.querySelector(".meanwhile").textContent = "";
  moment = wanted;
  show({ scene: page.html.scene });
  root.classList.add("past");
  banner.hidden = false;
  // The buttons to begin with are below the fold of a phone.
  if (banner.getBoundingClientRect().top < 0) main.scrollIntoView({ block: "start" });
  aloud(`${name()}. ${textOf(page.html.news)}`);
}

// What happens while one looks back is told, and does not throw one out.
export function meanwhile(page) {
  banner.querySelector(".meanwhile").textContent = textOf(page.html.news);
}

function leave() {
  moment = null;
  root.classList.remove("past");
  banner.hidden = true;
  markLine();
}

function name() {
  const text = root.dataset.moment.replace("{n}", moment).replace("{total}", total);
  banner.querySelector("b").textContent = text;
  markLine();
  return text;
}

export const markLine = () => markLines(moment);

document.addEventListener("keydown", (event) => {
  if (!isForPage(event)) return;
  if (event.key === "Escape" && moment !== null) look("now");
  const step = stepOf(event);
  if (step && byId("past").querySelector("[data-look]")) look(step);
});
