// The coach's page: requests the evaluation of a game, shows results as they arrive, and leads to each decision.

import { callApi } from "./api.js";
import { announce, byId, id, root, textOf } from "./dom.js";
import { openSettings, singleKeysEnabled } from "./settings.js";
import { findChoice, highlightIn } from "./highlights.js";
import { createPageCache, isPageShortcut, playOn, stepForKey } from "./timeline.js";

const POLL_INTERVAL = 1000; // milliseconds
const url = `/api/replays/${id}/coach`;
const pages = createPageCache((number) => `${url}/page?at=${number}`);
const graph = byId("graph");
const slider = byId("slider");
const playerFilter = byId("whose");
const cursor = () => byId("cursor");

let current = Number(root.dataset.at) || null; // the decision that is shown or being loaded
let shown = byId("moment").childElementCount ? current : null;

const marks = () => [...graph.querySelectorAll("[data-at]")];
const numberOf = (mark) => Number(mark.dataset.at);

/* Evaluation in progress */

function showProgress(page) {
  byId("says").textContent = page.says;
  byId("bar").max = page.total || 1;
  byId("bar").value = page.done;
  byId("progress").hidden = page.state === "done";
  byId("again").hidden = page.state !== "failed";
}

function fillParts(page) {
  for (const [part, html] of Object.entries(page.html)) {
    const focused = byId(part).contains(document.activeElement) && document.activeElement.dataset.at;
    byId(part).innerHTML = html;
    if (focused) byId(part).querySelector(`a[data-at="${focused}"]`)?.focus({ preventScroll: true });
  }
  moveCursor();
}

const wait = () => new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL));

async function evaluate() {
  byId("again").hidden = true;
  byId("bar").hidden = false;
  try {
    await pollProgress();
  } catch (error) {
    byId("says").textContent = error.message; // stays until the user retries
    announce(error.message);
    byId("bar").hidden = true;
    byId("again").hidden = false;
  }
}

async function pollProgress() {
  let done = -1;
  for (let idle = true; ; await wait()) {
    if (idle) await callApi(url, {});
    const page = await callApi(`${url}/page`);
    showProgress(page);
    if (page.done !== done || page.state === "done") fillParts(page);
    done = page.done;
    if (page.state === "done") return finish(page);
    if (page.state === "failed") return;
    idle = page.state === "idle"; // the server has been restarted
  }
}

function finish(page) {
  root.dataset.state = "done";
  announce(root.dataset.ready);
  if (shown === null && (current ??= page.at) !== null) showDecision(current);
}

byId("again").addEventListener("click", evaluate);

/* One decision */

async function showDecision(number, { scroll = false } = {}) {
  current = number;
  moveCursor();
  if (shown === number) return scrollToDecision(scroll);
  const page = await pages.get(number);
  if (page === null || current !== number) return;
  shown = number;
  byId("moment").innerHTML = page.html.moment;
  byId("one").hidden = false;
  enableSteps();
  highlightOption(byId("moment").querySelector("[data-option].chosen"));
  try {
    history.replaceState(null, "", `?at=${number}`);
  } catch {
    // Browsers limit the rate of these calls; a later one will do.
  }
  announce(textOf(byId("moment").querySelector(".co-verdict").innerHTML));
  scrollToDecision(scroll);
}

// After a click on a link: scrolls to the decision and focuses it.
function scrollToDecision(scroll) {
  if (!scroll) return;
  byId("one").scrollIntoView({ block: "start" });
  byId("moment-title").focus({ preventScroll: true });
}

function moveCursor() {
  const here = marks().find((mark) => numberOf(mark) === current);
  cursor()?.setAttribute("visibility", here ? "visible" : "hidden");
  if (!here) return;
  cursor().setAttribute("x1", here.getAttribute("x"));
  cursor().setAttribute("x2", here.getAttribute("x"));
  slider.value = current;
  slider.setAttribute("aria-valuetext", byId("decisions").querySelector(`[data-at="${current}"]`)?.ariaLabel ?? current);
}

// The next decision in a direction: "back", "forth", "mistake-back" or "mistake-forth", of the chosen player only.
function nextDecision(step) {
  const isForward = step.endsWith("forth");
  const candidates = marks()
    .filter((mark) => playerFilter.value === "" || mark.dataset.of === playerFilter.value)
    .filter((mark) => !step.startsWith("mistake") || mark.classList.contains("mistake"))
    .map(numberOf)
    .filter((number) => (isForward ? number > current : number < current));
  return (isForward ? candidates[0] : candidates.at(-1)) ?? null;
}

function goStep(step) {
  const number = nextDecision(step);
  if (number !== null) showDecision(number);
}

function enableSteps() {
  for (const button of root.querySelectorAll("[data-step]")) button.setAttribute("aria-disabled", nextDecision(button.dataset.step) === null);
}

// Highlights in the scene what an option would do.
function highlightOption(option) {
  const scene = byId("scene");
  for (const other of byId("moment").querySelectorAll("[data-option]")) other.setAttribute("aria-current", other === option);
  highlightIn(scene, findChoice(scene, option?.dataset.option));
}

/* Input */

root.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-at]");
  const button = event.target.closest("button");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    showDecision(Number(link.dataset.at), { scroll: true });
  } else if (button?.dataset.step) goStep(button.dataset.step);
  else if (button?.dataset.option) highlightOption(button);
  else if (button?.id === "go-on") playOn(button, { at: Number(button.dataset.before), seat: Number(button.dataset.seat) });
});
for (const kind of ["pointerover", "focusin"])
  byId("moment").addEventListener(kind, (event) => {
    const option = event.target.closest("[data-option]");
    if (option && event.pointerType !== "touch") highlightOption(option);
  });

// A click anywhere in the graph goes to the nearest decision.
graph.addEventListener("click", (event) => {
  const distance = (mark) => {
    const box = mark.getBoundingClientRect();
    return Math.abs(box.left + box.width / 2 - event.clientX);
  };
  const nearest = event.target.closest(".co-curves") && marks().sort((one, other) => distance(one) - distance(other))[0];
  if (nearest) showDecision(numberOf(nearest));
});

// Not every decision was evaluated: the slider skips to the next one that was, in its direction.
slider.addEventListener("input", () => {
  const wanted = Number(slider.value);
  const all = marks().map(numberOf);
  const number = wanted > (current ?? 0) ? all.find((each) => each >= wanted) : all.findLast((each) => each <= wanted);
  if (number) showDecision(number);
  else moveCursor();
});
playerFilter.addEventListener("change", enableSteps);
document.addEventListener("keydown", (event) => {
  if (!isPageShortcut(event)) return;
  const step = stepForKey(event) ?? (singleKeysEnabled() && { "<": "mistake-back", ">": "mistake-forth" }[event.key]);
  if (step) goStep(step);
  else if (event.key === "?" && singleKeysEnabled()) openSettings();
});

moveCursor();
if (shown !== null) {
  enableSteps();
  highlightOption(byId("moment").querySelector("[data-option].chosen"));
}
if (root.dataset.state !== "done") evaluate();
