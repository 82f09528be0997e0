// What readers set for themselves, kept in their browser: pace, sound, notifications, single keys.

import { byId, calm, complain, root } from "./dom.js";

const paceChoice = byId("pace") ?? document.createElement("select"); // not every page has one
const settings = byId("settings");

function kept(name, usual) {
  const box = byId(name) ?? document.createElement("input"); // not every page has every setting
  const value = localStorage.getItem(name);
  box.checked = value === null ? usual : value === "on";
  box.addEventListener("change", () => localStorage.setItem(name, box.checked ? "on" : "off"));
  return box;
}

paceChoice.value = localStorage.getItem("pace") ?? "800";
if (!paceChoice.value) paceChoice.value = "800";
paceChoice.addEventListener("change", () => localStorage.setItem("pace", paceChoice.value));

// Milliseconds that each page stands; nothing moves for those who prefer it still.
export const pace = () => (calm.matches ? 0 : Number(paceChoice.value));
// Milliseconds to look at what one has done, whether things move or not.
export const moment = () => Number(paceChoice.value);

const keys = kept("keys", true);
export const singleKeys = () => keys.checked;

/* Sound: a few soft tones, made here */

const sound = kept("sound", false);
const TONES = {
  laid: [[392, 0, 0.09]],
  taken: [[294, 0, 0.1], [247, 0.09, 0.14]],
  turn: [[523, 0, 0.12], [659, 0.1, 0.2]],
  end: [[523, 0, 0.14], [659, 0.12, 0.14], [784, 0.24, 0.4]],
};
let audio = null;

export function tone(name, later = 0) {
  if (!sound.checked || document.hidden) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  for (const [pitch, after, length] of TONES[name]) {
    const from = audio.currentTime + later + after;
    const voice = new OscillatorNode(audio, { type: "triangle", frequency: pitch });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0, from);
    volume.gain.linearRampToValueAtTime(0.08, from + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.0005, from + length);
    voice.connect(volume).connect(audio.destination);
    voice.start(from);
    voice.stop(from + length);
  }
}
sound.addEventListener("change", () => tone("turn"));

/* Notifications: asked for when they are switched on, shown when the page can't be seen */

const notify = kept("notify", false);
notify.addEventListener("change", async () => {
  if (!notify.checked) return;
  const allowed = "Notification" in window && (await Notification.requestPermission()) === "granted";
  if (allowed) return;
  notify.checked = false;
  localStorage.setItem("notify", "off");
  complain(root.dataset.denied);
});

export function callBack(title) {
  if (!document.hidden || !notify.checked || Notification.permission !== "granted") return;
  const shown = new Notification(title, { tag: root.dataset.table, icon: root.dataset.turnIcon });
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
}

/* The panel opens and closes like a menu */

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
