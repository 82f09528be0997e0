// A replay: steps through the moments of a game that is on paper, each drawn by the server.

import { aloud, byId, calm, id, root, textOf } from "./dom.js";
import { moment as pause, openSettings, singleKeys, tone } from "./settings.js";
import { goOn, isForPage, markLines, pagesAt, stepOf } from "./timeline.js";
import { glide, measured } from "./animation.js";
import { copy, origin, showLink } from "./links.js";

const SHORTEST = 350; // milliseconds that a moment stands while it plays
const last = Number(root.dataset.last);
const slider = byId("moment");
const eyes = byId("eyes");
const play = byId("play");
const { seat, level } = byId("go-on").elements; // who goes on from here, and against whom
const isSeat = (by) => /^\d+$/.test(by);

let shown = Number(root.dataset.at); // the moment on the page
let through = eyes.value; // and through whose eyes it is seen
let wanted = shown; // the one to be shown next
let busy = null; // what leads there
let playing = null; // the timer of what plays by itself
const isThrough = (by) => by === through;
const log = () => (isThrough(eyes.value) ? "" : "&log=1"); // which others see otherwise
const pages = pagesAt((at) => `/api/replays/${id}/page?at=${at}&seat=${eyes.value}${log()}`);

function go(where) {
  const steps = { first: 0, back: wanted - 1, forth: wanted + 1, last };
  wanted = Math.min(last, Math.max(0, where in steps ? steps[where] : Number(where)));
  name(wanted);
  busy ??= follow().finally(() => (busy = null));
  return busy;
}

// Who drags the slider wants the moment where it stops, and not all on the way.
async function follow() {
  while (shown !== wanted || !isThrough(eyes.value)) {
    const [at, by] = [wanted, eyes.value];
    const page = await pages.at(at);
    if (page === null) {
      stop();
      eyes.value = through;
      name((wanted = shown));
      return;
    }
    if (at === wanted && by === eyes.value) show(at, by, page);
  }
}

function show(at, by, page) {
  const before = measured();
  const near = Math.abs(at - shown) === 1 && isThrough(by);
  if (!isThrough(by) && isSeat(by)) seat.value = by;
  shown = at;
  through = by;
  for (const [part, html] of Object.entries(page.html)) byId(part).innerHTML = html;
  const taken = near && glide(before);
  if (near) tone("laid");
  if (taken) tone("taken", 0.2);
  markLines(at);
  address();
  if (seat.dataset.chosen === undefined && !isSeat(eyes.value) && page.pass_to !== null) seat.value = page.pass_to;
  if (playing === null) aloud(`${byId("where").textContent}. ${textOf(page.html.news)} ${textOf(page.html.status)}`);
  if (at < last) pages.at(at + 1); // where one most likely goes next
}

function name(at) {
  const text = root.dataset.moment.replace("{n}", at).replace("{total}", last);
  byId("where").textContent = text;
  slider.value = at;
  slider.setAttribute("aria-valuetext", text);
  for (const button of root.querySelectorAll(".controls [data-look]")) {
    const beyond = ["first", "back"].includes(button.dataset.look) ? at === 0 : at === last;
    button.setAttribute("aria-disabled", beyond);
  }
  byId("go-on").querySelector("button").disabled = at === last && "over" in root.dataset;
}

const here = () => `?at=${shown}&seat=${eyes.value}`;
function address() {
  try {
    history.replaceState(null, "", here());
  } catch {
    // A browser allows only so many in a while; the next one will do.
  }
}

/* Playing by itself */

function stop() {
  clearTimeout(playing);
  playing = null;
  draw();
}

function draw() {
  const text = playing === null ? root.dataset.play : root.dataset.pause;
  play.setAttribute("aria-label", text);
  play.title = text;
  play.classList.toggle("playing", playing !== null);
}

async function tick() {
  await go("forth");
  if (playing === null) return;
  if (shown === last) stop();
  else playing = setTimeout(tick, Math.max(SHORTEST, 1.5 * pause()));
}

async function toggle() {
  if (playing !== null) return stop();
  playing = setTimeout(() => {}, 0);
  draw();
  if (wanted === last) await go("first");
  if (playing !== null) playing = setTimeout(tick, calm.matches ? SHORTEST : 0);
}

/* What people do */

function step(where) {
  stop();
  go(where);
}

root.addEventListener("click", (event) => {
  const button = event.target.closest("[data-look], [data-copy], button");
  if (!button) return;
  if (button.dataset.look) step(button.dataset.look);
  else if (button.dataset.copy) copy(button);
  else if (button === play) toggle();
  else if (button.id === "share") {
    stop();
    root.querySelector("[data-share]").hidden = !navigator.share;
    showLink(`${origin}/replay/${id}${here()}`);
  }
});
slider.addEventListener("input", () => step(slider.value));
eyes.addEventListener("change", () => go(wanted));
document.addEventListener("keydown", (event) => {
  if (!isForPage(event) || event.target.closest("dialog")) return;
  const where = stepOf(event) ?? { Home: "first", End: "last" }[event.key];
  if (where) {
    step(where);
    event.preventDefault();
  } else if (event.key === "p" && singleKeys()) toggle();
  else if (event.key === "?" && singleKeys()) openSettings();
});

seat.addEventListener("change", () => (seat.dataset.chosen = ""));

byId("go-on").addEventListener("submit", (event) => {
  event.preventDefault();
  stop();
  const bots = {};
  for (const other of seat.options) if (other.value !== seat.value) bots[other.value] = level.value;
  goOn(event.submitter, { at: shown, seat: Number(seat.value), bots });
});

addEventListener("pagehide", stop);
name(shown);
markLines(shown);
draw();
