// The coach's page: asks for a game to be judged, shows what is found as it comes, and leads to each decision.

import { answerTo } from "./api.js";
import { aloud, byId, id, root, textOf } from "./dom.js";
import { openSettings, singleKeys } from "./settings.js";
import { inScene, markIn } from "./highlights.js";
import { goOn, isForPage, pagesAt, stepOf } from "./timeline.js";

const PAUSE = 1000; // milliseconds from one look at the progress to the next
const where = `/api/replays/${id}/coach`;
const pages = pagesAt((number) => `${where}/page?at=${number}`);
const graph = byId("graph");
const slider = byId("slider");
const whose = byId("whose");
const cursor = () => byId("cursor");

let at = Number(root.dataset.at) || null; // the decision that is shown, or to be shown
let shown = byId("moment").childElementCount ? at : null;

const marks = () => [...graph.querySelectorAll("[data-at]")];
const numberOf = (mark) => Number(mark.dataset.at);

/* Being judged */

function tell(page) {
  byId("says").textContent = page.says;
  byId("bar").max = page.total || 1;
  byId("bar").value = page.done;
  byId("progress").hidden = page.state === "done";
  byId("again").hidden = page.state !== "failed";
}

function fill(page) {
  for (const [part, html] of Object.entries(page.html)) {
    const held = byId(part).contains(document.activeElement) && document.activeElement.dataset.at;
    byId(part).innerHTML = html;
    if (held) byId(part).querySelector(`a[data-at="${held}"]`)?.focus({ preventScroll: true });
  }
  point();
}

const wait = () => new Promise((resolve) => setTimeout(resolve, PAUSE));

async function judge() {
  byId("again").hidden = true;
  byId("bar").hidden = false;
  try {
    await follow();
  } catch (error) {
    byId("says").textContent = error.message; // it stays: nothing else comes
    aloud(error.message);
    byId("bar").hidden = true;
    byId("again").hidden = false;
  }
}

async function follow() {
  let done = -1;
  for (let idle = true; ; await wait()) {
    if (idle) await answerTo(where, {});
    const page = await answerTo(`${where}/page`);
    tell(page);
    if (page.done !== done || page.state === "done") fill(page);
    done = page.done;
    if (page.state === "done") return finish(page);
    if (page.state === "failed") return;
    idle = page.state === "idle"; // the server was started anew
  }
}

function finish(page) {
  root.dataset.state = "done";
  aloud(root.dataset.ready);
  if (shown === null && (at ??= page.at) !== null) look(at);
}

byId("again").addEventListener("click", judge);

/* One decision */

async function look(number, { quietly = true } = {}) {
  at = number;
  point();
  if (shown === number) return reach(quietly);
  const page = await pages.at(number);
  if (page === null || at !== number) return;
  shown = number;
  byId("moment").innerHTML = page.html.moment;
  byId("one").hidden = false;
  enable();
  mark(byId("moment").querySelector("[data-option].chosen"));
  try {
    history.replaceState(null, "", `?at=${number}`);
  } catch {
    // A browser allows only so many in a while; the next one will do.
  }
  aloud(textOf(byId("moment").querySelector(".co-verdict").innerHTML));
  reach(quietly);
}

// Who came by a link is brought to what it leads to.
function reach(quietly) {
  if (quietly) return;
  byId("one").scrollIntoView({ block: "start" });
  byId("moment-title").focus({ preventScroll: true });
}

function point() {
  const here = marks().find((mark) => numberOf(mark) === at);
  cursor()?.setAttribute("visibility", here ? "visible" : "hidden");
  if (!here) return;
  cursor().setAttribute("x1", here.getAttribute("x"));
  cursor().setAttribute("x2", here.getAttribute("x"));
  slider.value = at;
  slider.setAttribute("aria-valuetext", byId("decisions").querySelector(`[data-at="${at}"]`)?.ariaLabel ?? at);
}

// The next decision in a direction; of one player alone, or a mistake, if that is asked for.
function next(step) {
  const forth = step.endsWith("forth");
  const found = marks()
    .filter((mark) => whose.value === "" || mark.dataset.of === whose.value)
    .filter((mark) => !step.startsWith("mistake") || mark.classList.contains("mistake"))
    .map(numberOf)
    .filter((number) => (forth ? number > at : number < at));
  return (forth ? found[0] : found.at(-1)) ?? null;
}

function step(where) {
  const number = next(where);
  if (number !== null) look(number);
}

function enable() {
  for (const button of root.querySelectorAll("[data-step]")) button.setAttribute("aria-disabled", next(button.dataset.step) === null);
}

// What a choice would do is marked in the scene.
function mark(option) {
  const scene = byId("scene");
  for (const other of byId("moment").querySelectorAll("[data-option]")) other.setAttribute("aria-current", other === option);
  markIn(scene, inScene(scene, option?.dataset.option));
}

/* What people do */

root.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-at]");
  const button = event.target.closest("button");
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    look(Number(link.dataset.at), { quietly: false });
  } else if (button?.dataset.step) step(button.dataset.step);
  else if (button?.dataset.option) mark(button);
  else if (button?.id === "go-on") goOn(button, { at: Number(button.dataset.before), seat: Number(button.dataset.seat) });
});
for (const kind of ["pointerover", "focusin"])
  byId("moment").addEventListener(kind, (event) => {
    const option = event.target.closest("[data-option]");
    if (option && event.pointerType !== "touch") mark(option);
  });

// The nearest point, wherever the graph is touched.
graph.addEventListener("click", (event) => {
  const far = (mark) => {
    const box = mark.getBoundingClientRect();
    return Math.abs(box.left + box.width / 2 - event.clientX);
  };
  const found = event.target.closest(".co-curves") && marks().sort((one, other) => far(one) - far(other))[0];
  if (found) look(numberOf(found));
});

// Not every decision was judged: the slider goes to the next one that was, in its direction.
slider.addEventListener("input", () => {
  const wanted = Number(slider.value);
  const all = marks().map(numberOf);
  const found = wanted > (at ?? 0) ? all.find((number) => number >= wanted) : all.findLast((number) => number <= wanted);
  if (found) look(found);
  else point();
});
whose.addEventListener("change", enable);
document.addEventListener("keydown", (event) => {
  if (!isForPage(event)) return;
  const found = stepOf(event) ?? (singleKeys() && { "<": "mistake-back", ">": "mistake-forth" }[event.key]);
  if (found) step(found);
  else if (event.key === "?" && singleKeys()) openSettings();
});

point();
if (shown !== null) {
  enable();
  mark(byId("moment").querySelector("[data-option].chosen"));
}
if (root.dataset.state !== "done") judge();
