// Shared by the modules of a table's page: elements, the current viewer, messages to the user.

import { callApi } from "./api.js";

export const root = document.getElementById("table");
export const main = document.getElementById("main");
export const id = root.dataset.table;
export const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

// The viewer: `seat` is "" for a spectator, and changes when a shared screen is passed on.
export const me = { seat: root.dataset.seat };

export const byId = (name) => document.getElementById(name);
export const pieces = () => new Map([...root.querySelectorAll("[data-piece]")].map((e) => [e.dataset.piece, e]));

export function showError(sentence) {
  const toast = byId("toast");
  toast.textContent = sentence;
  toast.hidden = false;
  clearTimeout(showError.timer);
  showError.timer = setTimeout(() => (toast.hidden = true), 6000);
}

// Announces a sentence to screen readers, politely.
export const announce = (sentence) => (byId("aloud").textContent = sentence);

// The text of some HTML, one sentence per top-level element.
export function textOf(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  return [...parsed.body.children].map((each) => each.textContent.trim()).join(" ");
}

// Like `callApi`, but shows an error and returns null instead of throwing it.
export async function tryCallApi(path, data) {
  try {
    return await callApi(path, data);
  } catch (error) {
    showError(error.message);
    return null;
  }
}
