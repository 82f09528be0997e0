// The user's settings, kept in local storage: pace, sound, remarks of bots, notifications, single-key shortcuts.

import { byId, reducedMotion, root, showError } from "./dom.js";
import { notify } from "./web-app.js";
import { playSound } from "./sound.js";

const paceSelect = byId("pace") ?? document.createElement("select"); // not every page has one
const settings = byId("settings");

// Connects a checkbox with local storage.
function bindCheckbox(name, defaultValue) {
  const box = byId(name) ?? document.createElement("input"); // not every page has every setting
  const value = localStorage.getItem(name);
  box.checked = value === null ? defaultValue : value === "on";
  box.addEventListener("change", () => localStorage.setItem(name, box.checked ? "on" : "off"));
  return box;
}

/* The pace: chosen, or by experience and company */

const GAMES_FINISHED = "games-finished"; // local storage key
const BY_EXPERIENCE = [[10, 550], [4, 700], [1, 850], [0, 1050]]; // from a number of finished games: milliseconds for a move
const BY_BOTS = [1, 1, 1, 0.8, 0.7, 0.6]; // the more bots, the shorter each of their moves

paceSelect.value = localStorage.getItem("pace") ?? "auto";
if (!paceSelect.value) paceSelect.value = "auto";
paceSelect.addEventListener("change", () => localStorage.setItem("pace", paceSelect.value));

const finishedGames = () => Number(localStorage.getItem(GAMES_FINISHED)) || 0;
export const countFinishedGame = () => localStorage.setItem(GAMES_FINISHED, finishedGames() + 1);

function automaticPace() {
  const bots = root.querySelectorAll(".seats [data-bot]").length;
  const [, base] = BY_EXPERIENCE.find(([games]) => finishedGames() >= games);
  return base * (BY_BOTS[bots] ?? BY_BOTS.at(-1));
}

// Milliseconds to view the result of a move, whether or not it is animated.
export const viewingTime = () => (paceSelect.value === "auto" ? automaticPace() : Number(paceSelect.value));
// Milliseconds that each page is shown; 0 turns animation off, as does the preference for reduced motion.
export const pace = () => (reducedMotion.matches ? 0 : viewingTime());

const keys = bindCheckbox("keys", true);
export const singleKeysEnabled = () => keys.checked;

const sound = bindCheckbox("sound", true);
sound.addEventListener("change", () => playSound("turn"));

const botRemarks = bindCheckbox("bot-remarks", true);
export const botRemarksEnabled = () => botRemarks.checked;

/* Notifications: permission is requested when they are switched on; shown only while the page is hidden */

const notifies = bindCheckbox("notify", false);
notifies.addEventListener("change", async () => {
  if (!notifies.checked) return;
  const isGranted = "Notification" in window && (await Notification.requestPermission()) === "granted";
  if (isGranted) return;
  notifies.checked = false;
  localStorage.setItem("notify", "off");
  showError(root.dataset.denied);
});

export function notifyTurn(title) {
  if (!document.hidden || !notifies.checked || Notification.permission !== "granted") return;
  notify(title, { tag: root.dataset.table, icon: root.dataset.appIcon }).catch(() => {});
}

/* The settings panel and other menus: a click elsewhere or Escape closes them */

document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll(".settings[open], .more[open]"))
    if (!menu.contains(event.target)) menu.open = false;
});
settings.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !settings.open) return;
  settings.open = false;
  settings.querySelector("summary").focus();
  event.stopPropagation();
});

export function openSettings() {
  settings.open = true;
  settings.querySelector("summary").focus();
}
