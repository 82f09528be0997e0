// A replay: steps through the moments of a recorded game, each rendered by the server.

import { announce, byId, id, reducedMotion, root, textOf } from "./dom.js";
import { openSettings, playTone, singleKeysEnabled, viewingTime } from "./settings.js";
import { createPageCache, highlightLogLines, isPageShortcut, playOn, stepForKey } from "./timeline.js";
import { animateMoves, measurePositions } from "./animation.js";
import { copyField, origin, showLink } from "./links.js";

const MIN_MOMENT_TIME = 350; // milliseconds per moment during playback
const last = Number(root.dataset.last);
const slider = byId("moment");
const viewerSelect = byId("eyes"); // whose view is shown: a seat number, or a word for all or for spectators
const playButton = byId("play");
const { seat, level } = byId("go-on").elements; // of the form that continues the game: the own seat, and the level of the bots
const isSeat = (viewer) => /^\d+$/.test(viewer);

let shown = Number(root.dataset.at); // the moment on the page
let shownViewer = viewerSelect.value; // and its viewer
let wanted = shown; // the moment to show next
let loading = null; // promise of getting there
let playTimer = null; // set during playback
const isShownViewer = (viewer) => viewer === shownViewer;
const log = () => (isShownViewer(viewerSelect.value) ? "" : "&log=1"); // another viewer needs another log
const pages = createPageCache((at) => `/api/replays/${id}/page?at=${at}&seat=${viewerSelect.value}${log()}`);

// Goes to a moment: "first", "back", "forth", "last", or a number.
function goToMoment(where) {
  const steps = { first: 0, back: wanted - 1, forth: wanted + 1, last };
  wanted = Math.min(last, Math.max(0, where in steps ? steps[where] : Number(where)));
  showMomentName(wanted);
  loading ??= loadWanted().finally(() => (loading = null));
  return loading;
}

// Loads pages until the wanted one is shown; moments that a dragged slider only passed are skipped.
async function loadWanted() {
  while (shown !== wanted || !isShownViewer(viewerSelect.value)) {
    const [at, viewer] = [wanted, viewerSelect.value];
    const page = await pages.get(at);
    if (page === null) {
      stopPlayback();
      viewerSelect.value = shownViewer;
      showMomentName((wanted = shown));
      return;
    }
    if (at === wanted && viewer === viewerSelect.value) showPage(at, viewer, page);
  }
}

function showPage(at, viewer, page) {
  const before = measurePositions();
  const isNeighbour = Math.abs(at - shown) === 1 && isShownViewer(viewer);
  if (!isShownViewer(viewer) && isSeat(viewer)) seat.value = viewer;
  shown = at;
  shownViewer = viewer;
  for (const [part, html] of Object.entries(page.html)) byId(part).innerHTML = html;
  const hasTaken = isNeighbour && animateMoves(before);
  if (isNeighbour) playTone("placed");
  if (hasTaken) playTone("taken", 0.2);
  highlightLogLines(at);
  updateAddress();
  if (seat.dataset.chosen === undefined && !isSeat(viewerSelect.value) && page.pass_to !== null) seat.value = page.pass_to;
  if (playTimer === null) announce(`${byId("where").textContent}. ${textOf(page.html.news)} ${textOf(page.html.status)}`);
  if (at < last) pages.get(at + 1); // prefetch the likely next one
}

function showMomentName(at) {
  const text = root.dataset.moment.replace("{n}", at).replace("{total}", last);
  byId("where").textContent = text;
  slider.value = at;
  slider.setAttribute("aria-valuetext", text);
  for (const button of root.querySelectorAll(".controls [data-look]")) {
    const isDisabled = ["first", "back"].includes(button.dataset.look) ? at === 0 : at === last;
    button.setAttribute("aria-disabled", isDisabled);
  }
  byId("go-on").querySelector("button").disabled = at === last && "over" in root.dataset;
}

const currentQuery = () => `?at=${shown}&seat=${viewerSelect.value}`;
function updateAddress() {
  try {
    history.replaceState(null, "", currentQuery());
  } catch {
    // Browsers limit the rate of these calls; a later one will do.
  }
}

/* Playback */

function stopPlayback() {
  clearTimeout(playTimer);
  playTimer = null;
  updatePlayButton();
}

function updatePlayButton() {
  const text = playTimer === null ? root.dataset.play : root.dataset.pause;
  playButton.setAttribute("aria-label", text);
  playButton.title = text;
  playButton.classList.toggle("playing", playTimer !== null);
}

async function playNext() {
  await goToMoment("forth");
  if (playTimer === null) return;
  if (shown === last) stopPlayback();
  else playTimer = setTimeout(playNext, Math.max(MIN_MOMENT_TIME, 1.5 * viewingTime()));
}

async function togglePlayback() {
  if (playTimer !== null) return stopPlayback();
  playTimer = setTimeout(() => {}, 0);
  updatePlayButton();
  if (wanted === last) await goToMoment("first");
  if (playTimer !== null) playTimer = setTimeout(playNext, reducedMotion.matches ? MIN_MOMENT_TIME : 0);
}

/* Input */

function stepTo(where) {
  stopPlayback();
  goToMoment(where);
}

root.addEventListener("click", (event) => {
  const button = event.target.closest("[data-look], [data-copy], button");
  if (!button) return;
  if (button.dataset.look) stepTo(button.dataset.look);
  else if (button.dataset.copy) copyField(button);
  else if (button === playButton) togglePlayback();
  else if (button.id === "share") {
    stopPlayback();
    root.querySelector("[data-share]").hidden = !navigator.share;
    showLink(`${origin}/replay/${id}${currentQuery()}`);
  }
});
slider.addEventListener("input", () => stepTo(slider.value));
viewerSelect.addEventListener("change", () => goToMoment(wanted));
document.addEventListener("keydown", (event) => {
  if (!isPageShortcut(event) || event.target.closest("dialog")) return;
  const where = stepForKey(event) ?? { Home: "first", End: "last" }[event.key];
  if (where) {
    stepTo(where);
    event.preventDefault();
  } else if (event.key === "p" && singleKeysEnabled()) togglePlayback();
  else if (event.key === "?" && singleKeysEnabled()) openSettings();
});

seat.addEventListener("change", () => (seat.dataset.chosen = ""));

byId("go-on").addEventListener("submit", (event) => {
  event.preventDefault();
  stopPlayback();
  const bots = {};
  for (const other of seat.options) if (other.value !== seat.value) bots[other.value] = level.value;
  playOn(event.submitter, { at: shown, seat: Number(seat.value), bots });
});

addEventListener("pagehide", stopPlayback);
showMomentName(shown);
highlightLogLines(shown);
updatePlayButton();
