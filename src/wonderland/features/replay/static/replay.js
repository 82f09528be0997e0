// A replay: steps through the moments of a recorded game and of its variations, each rendered by the server.

import { announce, byId, id, reducedMotion, root, textOf, tryCallApi } from "./dom.js";
import { openSettings, singleKeysEnabled, viewingTime } from "./settings.js";
import { playSounds } from "./sound.js";
import { createPageCache, highlightLogLines, isPageShortcut, playOn, stepForKey } from "./timeline.js";
import { animateMoves, measurePositions } from "./animation.js";
import { copyField, showLink } from "./links.js";
import { followPosition, shareAnalysis, showVariations, startAnalysis } from "./analysis.js";
import { lineOf, placeAfter, placeBefore, placeBeside, tree } from "./variations.js";

const MIN_MOMENT_TIME = 350; // milliseconds per moment during playback
const last = Number(root.dataset.last);
const slider = byId("moment");
const viewerSelect = byId("eyes"); // whose view is shown: a seat number, or a word for all or for spectators
const playButton = byId("play");
const { seat, level } = byId("go-on").elements; // of the form that continues the game: the own seat, and the level of the bots
const isSeat = (viewer) => /^\d+$/.test(viewer);

// A place is a moment of the game, or a move of a variation (see variations.js).
let shown = { at: Number(root.dataset.at), node: null }; // the place on the page
let shownViewer = viewerSelect.value; // and its viewer
let wanted = shown; // the place to show next
let loading = null; // promise of getting there
let playTimer = null; // set during playback
const isSame = (one, other) => one.at === other.at && one.node === other.node;
const isShownViewer = (viewer) => viewer === shownViewer;
const log = () => (isShownViewer(viewerSelect.value) ? "" : "&log=1"); // another viewer needs another log
const pages = createPageCache((at) => `/api/replays/${id}/page?at=${at}&seat=${viewerSelect.value}${log()}`);
const positions = new Map(); // pages of variations

// Goes to a place: "first", "back", "forth", "last", the number of a moment, or a place.
function goTo(where) {
  const steps = { first: { at: 0, node: null }, back: placeBefore(wanted), forth: placeAfter(wanted), last: { at: last, node: null } };
  const asked = where in steps ? steps[where] : typeof where === "object" ? where : { at: Number(where), node: null };
  wanted = asked ?? wanted;
  showPlaceName(wanted);
  loading ??= loadWanted().finally(() => (loading = null));
  return loading;
}

async function loadPosition(place, viewer) {
  const line = lineOf(place);
  const key = JSON.stringify([line, viewer]);
  if (!positions.has(key)) {
    const page = await tryCallApi(`/api/replays/${id}/position`, { line, seat: viewer });
    if (page === null) return null;
    positions.set(key, page);
  }
  return positions.get(key);
}

// Loads pages until the wanted one is shown; moments that a dragged slider only passed are skipped.
async function loadWanted() {
  while (!isSame(shown, wanted) || !isShownViewer(viewerSelect.value)) {
    const [place, viewer] = [wanted, viewerSelect.value];
    if (!isShownViewer(viewer) && place.node !== null) await loadLog(place.at, viewer);
    const page = await (place.node === null ? pages.get(place.at) : loadPosition(place, viewer));
    if (page === null) {
      stopPlayback();
      viewerSelect.value = shownViewer;
      showPlaceName((wanted = shown));
      return;
    }
    if (isSame(place, wanted) && viewer === viewerSelect.value) showPage(place, viewer, page);
  }
}

// The log of another viewer comes with the pages of the game, not with those of variations.
async function loadLog(at, viewer) {
  const page = await pages.get(at);
  if (page && viewer === viewerSelect.value) byId("log").innerHTML = page.html.log;
}

function showPage(place, viewer, page) {
  const before = measurePositions();
  const steps = [placeBefore(shown), placeAfter(shown), placeBefore(place)];
  const isNeighbour = isShownViewer(viewer) && (steps.slice(0, 2).some((each) => each && isSame(each, place)) || (steps[2] && isSame(steps[2], shown)));
  const isOtherViewer = !isShownViewer(viewer);
  if (isOtherViewer && isSeat(viewer)) seat.value = viewer;
  shown = place;
  shownViewer = viewer;
  for (const [part, html] of Object.entries(page.html)) byId(part).innerHTML = html;
  if (isOtherViewer) showVariations(viewer);
  followPosition(place, viewer);
  if (isNeighbour) playSounds(animateMoves(before));
  highlightLogLines(place.at);
  updateAddress();
  if (seat.dataset.chosen === undefined && !isSeat(viewerSelect.value) && page.pass_to !== null) seat.value = page.pass_to;
  if (playTimer === null) announce(`${byId("where").textContent}. ${textOf(page.html.news)} ${textOf(page.html.status)}`);
  if (place.node === null && place.at < last) pages.get(place.at + 1); // prefetch the likely next one
}

function showPlaceName(place) {
  const text = (place.node === null ? root.dataset.moment : root.dataset.variation).replace("{n}", place.at + lineOf(place).moves.length).replace("{total}", last);
  byId("where").textContent = text;
  slider.value = place.at;
  slider.setAttribute("aria-valuetext", text);
  for (const button of root.querySelectorAll(".controls [data-look]")) {
    const isBack = ["first", "back"].includes(button.dataset.look);
    const isAtEnd = button.dataset.look === "last" ? place.node === null && place.at === last : placeAfter(place) === null;
    button.setAttribute("aria-disabled", isBack ? placeBefore(place) === null : isAtEnd);
  }
  root.querySelector(".fault")?.toggleAttribute("hidden", place.node !== null || place.at !== last); // it is about the end
  byId("go-on").querySelector("button").disabled = place.node === null && place.at === last && "over" in root.dataset;
}

const currentQuery = () => `?at=${shown.at}&seat=${viewerSelect.value}`;
const nodeQuery = () => (shown.node === null ? "" : `&node=${shown.node}`);
const analysisQuery = () => (root.dataset.analysisId ? `&analysis=${root.dataset.analysisId}` : "");
function updateAddress() {
  try {
    history.replaceState(null, "", currentQuery() + nodeQuery() + analysisQuery());
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
  await goTo("forth");
  if (playTimer === null) return;
  if (placeAfter(shown) === null) stopPlayback();
  else playTimer = setTimeout(playNext, Math.max(MIN_MOMENT_TIME, 1.5 * viewingTime()));
}

async function togglePlayback() {
  if (playTimer !== null) return stopPlayback();
  playTimer = setTimeout(() => {}, 0);
  updatePlayButton();
  if (placeAfter(wanted) === null) await goTo("first");
  if (playTimer !== null) playTimer = setTimeout(playNext, reducedMotion.matches ? MIN_MOMENT_TIME : 0);
}

/* Input */

function stepTo(where) {
  stopPlayback();
  return goTo(where);
}

root.addEventListener("click", (event) => {
  const button = event.target.closest("[data-look], [data-copy], button");
  if (!button) return;
  if (button.dataset.look) stepTo(button.dataset.look);
  else if (button.dataset.copy) copyField(button);
  else if (button === playButton) togglePlayback();
  else if (button.id === "share") {
    stopPlayback();
    share();
  }
});
async function share() {
  const analysis = await shareAnalysis();
  if (analysis === null) return;
  root.querySelector("[data-share]").hidden = !navigator.share;
  showLink(`/replay/${id}${currentQuery()}${nodeQuery()}${analysis}`);
}

slider.addEventListener("input", () => stepTo(slider.value));
viewerSelect.addEventListener("change", () => goTo(wanted));
document.addEventListener("keydown", (event) => {
  if (!isPageShortcut(event) || event.target.closest("dialog")) return;
  const where = stepForKey(event) ?? { Home: "first", End: "last", ArrowLeft: "back", ArrowRight: "forth" }[event.key];
  const beside = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const other = beside && !event.target.closest(".log") && placeBeside(wanted, beside); // without another, the page scrolls
  if (where || other) {
    stepTo(where ?? other);
    event.preventDefault();
  } else if (singleKeysEnabled() && ["c", "e"].includes(event.key)) {
    byId(event.key === "c" ? "ask-verdict" : "ask-line")?.click();
  } else if (event.key === "p" && singleKeysEnabled()) togglePlayback();
  else if (event.key === "?" && singleKeysEnabled()) openSettings();
});

seat.addEventListener("change", () => (seat.dataset.chosen = ""));

byId("go-on").addEventListener("submit", (event) => {
  event.preventDefault();
  stopPlayback();
  const bots = {};
  for (const other of seat.options) if (other.value !== seat.value) bots[other.value] = level.value;
  playOn(event.submitter, { ...lineOf(shown), seat: Number(seat.value), bots });
});

addEventListener("pagehide", stopPlayback);
startAnalysis(stepTo);
followPosition(shown, shownViewer);
const node = new URLSearchParams(location.search).get("node");
if (node !== null && Number(node) in tree.nodes) goTo({ at: tree.nodes[node].at, node: Number(node) });
else showPlaceName(shown);
highlightLogLines(shown.at);
updatePlayButton();
