// Shared by the modules of a table's page: elements, the current viewer, messages to the user.

import { callApi, showSentence } from "./api.js";

export const root = document.getElementById("table");
export const main = document.getElementById("main");
export const id = root.dataset.table;
export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

// The viewer: `seat` is "" for a spectator, and changes when a shared screen is passed on.
export const me = { seat: root.dataset.seat };

export const byId = (name) => document.getElementById(name);
export const pieces = () => new Map([...root.querySelectorAll("[data-piece]")].map((e) => [e.dataset.piece, e]));

export function showError(sentence, rule) {
  const toast = byId("toast");
  showSentence(toast, sentence, rule);
  toast.hidden = false;
  clearTimeout(showError.timer);
  showError.timer = setTimeout(() => (toast.hidden = true), 6000);
}

// Announces a sentence to screen readers, politely.
export const announce = (sentence) => (byId("aloud").textContent = sentence);

export function parseHtml(html) {
  const parsed = document.createElement("template");
  parsed.innerHTML = html;
  return parsed.content;
}

// The text of some HTML, one sentence per top-level element, without what only the eye needs.
export const textOf = (html) =>
  [...parseHtml(html).children]
    .filter((each) => !each.hasAttribute("aria-hidden"))
    .map((each) => each.textContent.trim())
    .join(" ");

// Like `callApi`, but shows an error and returns null instead of throwing it.
export async function tryCallApi(path, data) {
  try {
    return await callApi(path, data);
  } catch (error) {
    showError(error.message, error.body?.rule);
    return null;
  }
}
