// The user's settings, kept in local storage: pace, sound, notifications, single-key shortcuts.

import { byId, reducedMotion, root, showError } from "./dom.js";

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

paceSelect.value = localStorage.getItem("pace") ?? "800";
if (!paceSelect.value) paceSelect.value = "800";
paceSelect.addEventListener("change", () => localStorage.setItem("pace", paceSelect.value));

// Milliseconds that each page is shown; 0 turns animation off, as does the preference for reduced motion.
export const pace = () => (reducedMotion.matches ? 0 : Number(paceSelect.value));
// Milliseconds to view the result of a move, whether or not it is animated.
export const viewingTime = () => Number(paceSelect.value);

const keys = bindCheckbox("keys", true);
export const singleKeysEnabled = () => keys.checked;

/* Sound: a few soft synthesised tones */

const sound = bindCheckbox("sound", false);
const TONES = {
  placed: [[392, 0, 0.09]],
  taken: [[294, 0, 0.1], [247, 0.09, 0.14]],
  turn: [[523, 0, 0.12], [659, 0.1, 0.2]],
  end: [[523, 0, 0.14], [659, 0.12, 0.14], [784, 0.24, 0.4]],
};
let audio = null;

export function playTone(name, delay = 0) {
  if (!sound.checked || document.hidden) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  for (const [pitch, offset, length] of TONES[name]) {
    const start = audio.currentTime + delay + offset;
    const voice = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(0.08, start + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.0005, start + length);
    voice.connect(volume).connect(audio.destination);
    voice.start(start);
    voice.stop(start + length);
  }
}
sound.addEventListener("change", () => playTone("turn"));

/* Notifications: permission is requested when they are switched on; shown only while the page is hidden */

const notify = bindCheckbox("notify", false);
notify.addEventListener("change", async () => {
  if (!notify.checked) return;
  const isGranted = "Notification" in window && (await Notification.requestPermission()) === "granted";
  if (isGranted) return;
  notify.checked = false;
  localStorage.setItem("notify", "off");
  showError(root.dataset.denied);
});

export function notifyTurn(title) {
  if (!document.hidden || !notify.checked || Notification.permission !== "granted") return;
  const notification = new Notification(title, { tag: root.dataset.table, icon: root.dataset.turnIcon });
  notification.onclick = () => {
    window.focus();
    notification.close();
  };
}

/* The settings panel and other menus: a click elsewhere or Escape closes them */

document.addEventListener("click", (event) => {
  for (const menu of root.querySelectorAll(".settings[open], .more[open]"))
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
