// What the parts of a table's page share: where they are, who looks, and how to say something.

import { answerTo } from "./api.js";

export const root = document.getElementById("table");
export const main = document.getElementById("main");
export const id = root.dataset.table;
export const calm = matchMedia("(prefers-reduced-motion: reduce)");

// Who looks: `seat` is "" for a spectator. One screen can be handed from one seat to another.
export const me = { seat: root.dataset.seat };

export const byId = (name) => document.getElementById(name);
export const pieces = () => new Map([...root.querySelectorAll("[data-piece]")].map((e) => [e.dataset.piece, e]));

export function complain(sentence) {
  const toast = byId("toast");
  toast.textContent = sentence;
  toast.hidden = false;
  clearTimeout(complain.timer);
  complain.timer = setTimeout(() => (toast.hidden = true), 6000);
}

// Said to those who listen to the page rather than look at it, when they have a moment.
export const aloud = (sentence) => (byId("aloud").textContent = sentence);

// What a piece of HTML says, a sentence after the other.
export function textOf(html) {
  const read = new DOMParser().parseFromString(html, "text/html");
  return [...read.body.children].map((each) => each.textContent.trim()).join(" ");
}

// The answer to a request, or null if it was refused or nobody answered, which is then said.
export async function asked(path, body) {
  try {
    return await answerTo(path, body);
  } catch (error) {
    complain(error.message);
    return null;
  }
}
