// The choice that was made: it is shown as chosen at once, and nothing else can be chosen until the page that includes it is shown.

import { root } from "./dom.js";

let sent = null; // { action, key, version }; the version is known once the server has accepted it

export const hasSent = () => sent !== null;

export function markSent(action, key) {
  sent = { action, key, version: Infinity };
  showSent();
}

// The server has accepted a command, which is part of the table from a version on.
export function acceptSent(key, version) {
  if (sent?.key !== key) return;
  sent.version = version;
  settleSent(Number(root.dataset.version));
}

// The server has refused a command: the player may choose again.
export function refuseSent(key) {
  if (sent?.key !== key) return;
  sent = null;
  for (const choice of root.querySelectorAll("[data-play]")) choice.style.removeProperty("translate"); // it may have been dragged
  showSent();
}

// A version of the table is about to be shown.
export function settleSent(version) {
  if (!sent || version < sent.version) return;
  sent = null;
  showSent();
}

// Marks the choices, also after an update has replaced them.
export function showSent() {
  root.classList.toggle("has-sent", hasSent());
  for (const choice of root.querySelectorAll("[data-play]")) {
    choice.classList.toggle("sent", choice.dataset.play === sent?.action);
    if (sent) choice.setAttribute("aria-disabled", "true");
    else choice.removeAttribute("aria-disabled");
  }
}
