// Moments of a game, by the number of decisions: each page is asked for once, and has its lines in the log.

import { randomHex } from "./api.js";
import { asked, id, root } from "./dom.js";
import { singleKeys } from "./settings.js";

// `addressOf` says where the page of a moment is.
export function pagesAt(addressOf) {
  const pages = new Map();
  return {
    async at(moment) {
      const address = addressOf(moment);
      if (!pages.has(address)) {
        const page = await asked(address);
        if (page === null) return null;
        pages.set(address, page);
      }
      return pages.get(address);
    },
    forget: () => pages.clear(),
  };
}

// Marks what had just happened then; nothing for null.
export function markLines(moment) {
  const list = root.querySelector(".log");
  for (const line of list.querySelectorAll("[aria-current]")) line.removeAttribute("aria-current");
  if (moment === null) return;
  const lines = list.querySelectorAll(`[data-look="${moment}"]`);
  for (const line of lines) line.setAttribute("aria-current", "true");
  if (lines.length) list.scrollTop = lines[0].offsetTop - list.offsetTop - list.clientHeight / 3;
}

// Whether a key is for the page, and not for a field, the browser or another program.
export const isForPage = (event) =>
  !event.ctrlKey && !event.altKey && !event.metaKey && !event.target.matches("input, select, textarea");

// Where a single key leads: one move back, or on.
export const stepOf = (event) => (singleKeys() && { ",": "back", ".": "forth" }[event.key]) || null;

// What if: a table that goes on from a moment of this game, against bots. It knows the way back here.
export async function goOn(button, wish) {
  button.disabled = true;
  const found = await asked(`/api/replays/${id}/tables`, { ...wish, contribution: randomHex(32) });
  button.disabled = false;
  if (!found) return;
  sessionStorage.setItem(`from ${found.table}`, location.href);
  location.href = `/tables/${found.table}`;
}
