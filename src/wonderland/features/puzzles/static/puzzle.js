// A puzzle: choosing leads to the solution. Results of first attempts are kept in this browser only.

import { byId, root } from "./dom.js";
import { handleChoices, highlightChoice } from "./choices.js";
import { findChoice } from "./highlights.js";

const { game, table: id, day, solved, best, total } = root.dataset;
const KEY = `puzzles-${game}`;

const fill = (text, fields) => text.replace(/\{(\w+)\}/g, (_, name) => fields[name]);

handleChoices(
  (choice) => (location.href = `/puzzles/${game}/${id}?choice=${encodeURIComponent(choice.dataset.play)}`),
  (target) => Boolean(target.closest("a, button, summary")),
);

/* Results */

function loadResults() {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY));
    if (stored?.first && stored.row) return stored;
  } catch {
    /* Not our data, or storage is blocked. */
  }
  return { first: {}, row: { day: 0, length: 0 } };
}

function saveResults(results) {
  try {
    localStorage.setItem(KEY, JSON.stringify(results));
  } catch {
    /* Storage is full or blocked: the result is lost. */
  }
}

// Records the first attempt only. The streak (`row`) grows with each puzzle of the day that is solved on its day.
function recordAttempt(results) {
  if (id in results.first) return;
  results.first[id] = Number(solved);
  const today = Number(day);
  if (today) {
    const length = results.row.day === today - 1 ? results.row.length : 0;
    results.row = Number(solved) ? { day: today, length: length + 1 } : { day: today, length: 0 };
  }
  saveResults(results);
}

function showResults({ first, row }) {
  const number = Object.values(first).filter(Boolean).length;
  if (!Object.keys(first).length) return;
  const tally = byId("tally");
  const lines = [fill(tally.dataset.count, { number, total })];
  if (row.length > 1) lines.push(fill(tally.dataset.row, { number: row.length }));
  tally.textContent = lines.join(" · ");
  tally.hidden = false;
}

const results = loadResults();
if (solved !== undefined) recordAttempt(results);
showResults(results);

/* The solution is highlighted in the scene, as is any choice pointed at in the list */

if (best !== undefined) {
  highlightChoice(findChoice(byId("scene"), best));
  for (const kind of ["pointerover", "focusin"])
    root.querySelector(".answer").addEventListener(kind, (event) => {
      const option = event.target.closest("[data-option]");
      if (option) highlightChoice(findChoice(byId("scene"), option.dataset.option));
    });
  byId("answer").focus();
}
