// A puzzle: to choose leads to the solution; what was solved at the first try is remembered here alone.

import { byId, root } from "./dom.js";
import { letChoose, mark } from "./choices.js";
import { inScene } from "./highlights.js";

const { game, table: id, day, solved, best, total } = root.dataset;
const KEY = `puzzles-${game}`;

const fill = (text, fields) => text.replace(/\{(\w+)\}/g, (_, name) => fields[name]);

letChoose(
  (choice) => (location.href = `/puzzles/${game}/${id}?choice=${encodeURIComponent(choice.dataset.play)}`),
  (target) => Boolean(target.closest("a, button, summary")),
);

/* What was solved */

function remembered() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY));
    if (found?.first && found.row) return found;
  } catch {
    /* Something else stands there, or nothing may be kept. */
  }
  return { first: {}, row: { day: 0, length: 0 } };
}

function keep(memory) {
  try {
    localStorage.setItem(KEY, JSON.stringify(memory));
  } catch {
    /* Then it is forgotten. */
  }
}

// Only the first answer counts; a row of days grows with each puzzle of the day that was solved on it.
function note(memory) {
  if (id in memory.first) return;
  memory.first[id] = Number(solved);
  const today = Number(day);
  if (today) {
    const length = memory.row.day === today - 1 ? memory.row.length : 0;
    memory.row = Number(solved) ? { day: today, length: length + 1 } : { day: today, length: 0 };
  }
  keep(memory);
}

function tell({ first, row }) {
  const number = Object.values(first).filter(Boolean).length;
  if (!Object.keys(first).length) return;
  const tally = byId("tally");
  const lines = [fill(tally.dataset.count, { number, total })];
  if (row.length > 1) lines.push(fill(tally.dataset.row, { number: row.length }));
  tally.textContent = lines.join(" · ");
  tally.hidden = false;
}

const memory = remembered();
if (solved !== undefined) note(memory);
tell(memory);

/* The solution: it is marked in the scene, and so is every other choice that is pointed at in the list. */

if (best !== undefined) {
  mark(inScene(byId("scene"), best));
  for (const kind of ["pointerover", "focusin"])
    root.querySelector(".answer").addEventListener(kind, (event) => {
      const option = event.target.closest("[data-option]");
      if (option) mark(inScene(byId("scene"), option.dataset.option));
    });
  byId("answer").focus();
}
