// Step-back history: shows earlier moments, rendered by the server for the same viewer, while the game goes on.

import { announce, byId, id, main, me, root, textOf } from "./dom.js";
import { createPageCache, highlightLogLines, isPageShortcut, stepForKey } from "./timeline.js";

const banner = byId("history-banner");
const pages = createPageCache((number) => `/api/tables/${id}/page?at=${number}${me.seat === "" ? "" : `&seat=${me.seat}`}`);
let moment = null; // the moment shown; null is the present
let total = Number(root.dataset.moves); // decisions in the game so far
let latestRequest = 0; // to ignore responses that have been overtaken
let showParts = () => {};
let showPresent = () => {};

export const isInHistory = () => moment !== null;

// `onParts` puts parts of a page into the document; `onPresent` restores the present.
export function setUpHistory(onParts, onPresent) {
  showParts = onParts;
  showPresent = onPresent;
}

// Updates the number of decisions. Fewer than before means a take-back, which changes the past.
export function setTotal(moves) {
  if (moves < total) clearHistory();
  total = moves;
  if (moment !== null) showMomentName();
}

export function clearHistory() {
  pages.clear();
  latestRequest++;
  if (moment !== null) leaveHistory();
}

export const pageAt = pages.get;

// Goes to a moment: "first", "back", "forth", "now", or a number.
export async function goToMoment(where) {
  if ("covered" in root.dataset) return; // the viewer of the shared screen is unknown yet
  const current = moment ?? total;
  const steps = { first: 0, back: current - 1, forth: current + 1, now: total };
  const wanted = Math.max(0, where in steps ? steps[where] : Number(where));
  if (wanted >= total) {
    latestRequest++;
    if (moment === null) return;
    leaveHistory();
    showPresent();
    return;
  }
  const request = ++latestRequest;
  const page = await pageAt(wanted);
  if (page === null || request !== latestRequest) return;
  if (moment === null) banner.querySelector(".meanwhile").textContent = "";
  moment = wanted;
  showParts({ scene: page.html.scene });
  root.classList.add("past");
  banner.hidden = false;
  // On a phone, the buttons that start this are below the fold.
  if (banner.getBoundingClientRect().top < 0) main.scrollIntoView({ block: "start" });
  announce(`${showMomentName()}. ${textOf(page.html.news)}`);
}

// Tells what happens in the game meanwhile, without leaving the history.
export function showMeanwhile(page) {
  banner.querySelector(".meanwhile").textContent = textOf(page.html.news);
}

function leaveHistory() {
  moment = null;
  root.classList.remove("past");
  banner.hidden = true;
  highlightLogLine();
}

function showMomentName() {
  const text = root.dataset.moment.replace("{n}", moment).replace("{total}", total);
  banner.querySelector("b").textContent = text;
  highlightLogLine();
  return text;
}

export const highlightLogLine = () => highlightLogLines(moment);

document.addEventListener("keydown", (event) => {
  if (!isPageShortcut(event)) return;
  if (event.key === "Escape" && moment !== null) goToMoment("now");
  const step = stepForKey(event) ?? stepForArrow(event);
  if (step && byId("past").querySelector("[data-look]")) goToMoment(step);
});

// Arrow keys step through the history unless a choice has the focus, between which they move. In the present there is nothing
// to the right but the choices.
function stepForArrow(event) {
  if (event.target.closest("[data-play], .log, summary, [role=radio]")) return null;
  if (event.key === "ArrowLeft") return "back";
  return event.key === "ArrowRight" && moment !== null ? "forth" : null;
}
