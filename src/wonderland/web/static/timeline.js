// Moments of a game, by number of decisions: a page cache, log lines, shortcut keys, and tables that continue from a moment.

import { keepShuffle, randomHex } from "./api.js";
import { id, root, tryCallApi } from "./dom.js";
import { singleKeysEnabled } from "./settings.js";

// A cache of pages by moment; `urlOf` returns the address of a moment's page. `get` returns null if it can't be loaded.
export function createPageCache(urlOf) {
  const pages = new Map();
  return {
    async get(moment) {
      const url = urlOf(moment);
      if (!pages.has(url)) {
        const page = await tryCallApi(url);
        if (page === null) return null;
        pages.set(url, page);
      }
      return pages.get(url);
    },
    clear: () => pages.clear(),
  };
}

// Highlights what had just happened at a moment, and scrolls there; null removes the highlight.
export function highlightLogLines(moment) {
  const list = root.querySelector(".log");
  for (const line of list.querySelectorAll("[aria-current]")) line.removeAttribute("aria-current");
  if (moment === null) return;
  const lines = list.querySelectorAll(`[data-look="${moment}"]`);
  for (const line of lines) line.setAttribute("aria-current", "true");
  if (lines.length) list.scrollTop = lines[0].offsetTop - list.offsetTop - list.clientHeight / 3;
}

// Whether a key press is a shortcut of the page, not input to a field, the browser or another program.
export const isPageShortcut = (event) =>
  !event.ctrlKey && !event.altKey && !event.metaKey && !event.target.matches("input, select, textarea");

// The step that a single key stands for: "back", "forth" or null.
export const stepForKey = (event) => (singleKeysEnabled() && { ",": "back", ".": "forth" }[event.key]) || null;

// Creates a table that continues from a moment of this game against bots, and goes there. The table links back here.
export async function playOn(button, wish) {
  button.disabled = true;
  const contribution = randomHex(32);
  const created = await tryCallApi(`/api/replays/${id}/tables`, { ...wish, contribution });
  button.disabled = false;
  if (!created) return;
  keepShuffle(created.table, { contribution });
  sessionStorage.setItem(`from ${created.table}`, location.href);
  location.href = `/tables/${created.table}`;
}
