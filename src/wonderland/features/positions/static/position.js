// The position editor: sends each change, shows the resulting position, and asks for advice.

import { callApi, showSentence } from "./api.js";
import { findChoice, highlightIn } from "./highlights.js";

const byId = (id) => document.getElementById(id);
const root = byId("main");
const { game } = root.dataset;
const form = byId("form");
const scene = byId("scene");
const statusLine = byId("says");
const adviceButton = byId("ask");
const advice = byId("advice");
const line = byId("line");
let facts = JSON.parse(root.dataset.fields);
let seat = Number(root.dataset.seat);

function showStatus(sentence, isReady, rule) {
  showSentence(statusLine, sentence, rule);
  statusLine.classList.toggle("ready", isReady);
}

async function tryCallApi(path, data) {
  try {
    return await callApi(path, { game, ...data });
  } catch (error) {
    showStatus(error.message, false);
    return null;
  }
}

// Encodes the position for the address bar, leaving the characters readable that are safe in a query.
const encodeReadably = (text) =>
  encodeURIComponent(text).replace(/%(20|2F|3D|3F|2C)/g, (it) => (it === "%20" ? "+" : decodeURIComponent(it)));

function swapForm(html) {
  const focused = form.contains(document.activeElement) ? document.activeElement : null;
  const fallback = focused?.dataset.place && `place-${focused.dataset.place}`;
  const isOpen = byId("ed-more")?.open;
  form.innerHTML = html;
  if (isOpen && byId("ed-more")) byId("ed-more").open = true;
  if (!focused?.id) return;
  const next = byId(focused.id) || (fallback && byId(fallback));
  next?.focus({ preventScroll: true });
  if (next?.dataset.lay) setTabStop(next);
}

function showPosition(position) {
  swapForm(position.html.form);
  scene.innerHTML = position.html.scene;
  scene.classList.remove("choosing");
  advice.textContent = "";
  seat = position.seat;
  line.value = position.position;
  byId("seat").value = String(seat);
  adviceButton.disabled = !position.ready;
  showStatus(position.says, position.ready, position.rule);
  history.replaceState(null, "", `?position=${encodeReadably(position.position)}&seat=${seat}`);
}

// Changes are sent one after another, so that none is lost; only the last result is shown.
let queue = Promise.resolve();
let pending = 0;
function sendChange(change, touch) {
  pending += 1;
  queue = queue.then(async () => {
    const position = await tryCallApi("/api/positions", { facts: { ...facts, ...change }, ...(touch && { touch }) });
    pending -= 1;
    if (position) facts = position.facts;
    if (position && !pending) showPosition(position);
  });
}

form?.addEventListener("change", (event) => {
  const { choice } = event.target.dataset;
  if (choice) sendChange({ [choice]: event.target.value });
  else if (event.target.name === "at") sendChange({ at: event.target.value });
});
form?.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.lay) {
    const place = form.querySelector("[name=at]:checked").value;
    sendChange({ at: place }, { place, piece: button.dataset.lay });
  } else if (button?.dataset.back) {
    const { place, back } = button.dataset;
    sendChange({ at: place }, { place, number: Number(back) });
  }
});

// Roving tabindex: the palette is one tab stop, and arrow keys move within it.
function setTabStop(piece) {
  for (const other of form.querySelectorAll("[data-lay]")) other.tabIndex = other === piece ? 0 : -1;
}
form?.addEventListener("keydown", (event) => {
  const piece = event.target.closest("[data-lay]");
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
  if (!piece || !step || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const rows = [...form.querySelectorAll(".ed-row")].map((row) => [...row.children]);
  const row = rows.findIndex((each) => each.includes(piece));
  const next = rows[(row + step[0] + rows.length) % rows.length];
  const at = rows[row].indexOf(piece) + step[1];
  const target = next[step[0] ? Math.min(at, next.length - 1) : (at + next.length) % next.length];
  setTabStop(target);
  target.focus();
});

// Highlights in the scene what an option would do.
function highlightOption(option) {
  for (const other of advice.querySelectorAll("[data-option]")) other.setAttribute("aria-current", other === option);
  highlightIn(scene, findChoice(scene, option.dataset.option));
}
for (const kind of ["pointerover", "focusin", "click"])
  advice.addEventListener(kind, (event) => {
    const option = event.target.closest("[data-option]");
    if (option && event.pointerType !== "touch") highlightOption(option);
    else if (option && kind === "click") highlightOption(option);
  });

adviceButton.addEventListener("click", async () => {
  adviceButton.disabled = true;
  const statusBefore = statusLine.textContent;
  showStatus(root.dataset.thinking, true);
  await queue;
  const position = line.value;
  const answer = await tryCallApi("/api/positions/advice", { position, seat });
  if (line.value !== position) return; // it has been changed meanwhile
  adviceButton.disabled = false;
  if (!answer) return;
  showStatus(statusBefore, true);
  advice.innerHTML = answer.html;
  highlightOption(advice.querySelector("[data-option]"));
  if (advice.getBoundingClientRect().top > innerHeight / 2) advice.scrollIntoView();
});

byId("copy").addEventListener("click", async (event) => {
  try {
    await navigator.clipboard.writeText(line.value);
    event.target.textContent = root.dataset.copied;
  } catch {
    line.select();
  }
});
