// While a player waits for a quick match: counts the seconds, and follows them to the match that was found.

import { byId } from "./dom.js";

const seen = new WeakMap(); // element -> when it was drawn

const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

function count() {
  for (const element of document.querySelectorAll("[data-elapsed], [data-remaining]")) {
    if (!seen.has(element)) seen.set(element, performance.now());
    const since = performance.now() - seen.get(element);
    const { elapsed, remaining } = element.dataset;
    const shown = elapsed ? Number(elapsed) + since : Math.max(0, Number(remaining) - since);
    const text = clock(elapsed ? Math.floor(shown / 1000) : Math.ceil(shown / 1000));
    if (element.textContent !== text) element.textContent = text;
  }
}

function update() {
  const next = byId("next");
  if (next?.dataset.follow !== undefined) location.replace(next.href);
  count();
}

update();
setInterval(count, 250);
new MutationObserver(update).observe(byId("lobby"), { childList: true });
