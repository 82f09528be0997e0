// The level of the opponents that "Play now" and a rematch alone seat. It starts at the easiest and follows the results
// on this device: two wins in a row raise it, two last places in a row lower it, and anything else starts a new count.
// It is always shown, and the player can change it at any time; home.js reads what is stored here. *Add bot* offers it, too.

import { id, root } from "./dom.js";

const STREAK = 2;
const MAX_COUNTED = 50; // tables remembered, so that no game counts twice

// What follows from a result ("won", "last" or "between"): the level, and how many like it there were (below 0: lost).
export function follow({ level, run = 0 }, outcome, levels) {
  const step = { won: 1, last: -1 }[outcome] ?? 0;
  const count = Math.sign(run) === step ? run + step : step;
  const next = levels[levels.indexOf(level) + step];
  if (Math.abs(count) < STREAK || !next) return { level, run: Math.max(-STREAK, Math.min(STREAK, count)) };
  return { level: next, run: 0 };
}

const key = `opponents.${root.dataset.game}`;
const read = (where = key) => JSON.parse(localStorage.getItem(where) ?? "{}");
const store = (state) => localStorage.setItem(key, JSON.stringify(state));
const chosenLists = new Set(); // the lists beside *Add bot* in which the player has chosen a level
let change = ""; // what this game has changed: "harder" or "easier"

// Counts the result that is shown, once, if it was against the level that is followed.
function countResult({ opponents: level, outcome }, levels) {
  const known = { level, ...read() };
  const counted = known.counted ?? [];
  if (!outcome || known.level !== level || counted.includes(id)) return;
  const state = follow(known, outcome, levels);
  if (state.level !== level) change = levels.indexOf(state.level) > levels.indexOf(level) ? "harder" : "easier";
  store({ ...state, counted: [...counted, id].slice(-MAX_COUNTED) });
}

// Shows the level in the lists of the page, after they have been rendered.
export function showOpponents() {
  for (const list of root.querySelectorAll("[data-opponents]")) {
    const levels = [...list.options].map(({ value }) => value);
    countResult(list.dataset, levels);
    const { level } = read();
    if (levels.includes(level)) list.value = level;
    const note = list.closest(".opponents").querySelector(".note");
    if (note) note.textContent = note.dataset[change] ?? "";
  }
  const { level } = read();
  for (const list of root.querySelectorAll("[data-bot-level]"))
    if (!chosenLists.has(list.id) && [...list.options].some(({ value }) => value === level)) list.value = level;
}

// The level to ask for in a rematch; nothing if the opponents stay as they are.
export function nextLevel() {
  const list = root.querySelector("#ending [data-opponents]");
  return list && list.value !== list.dataset.opponents ? { level: list.value } : {};
}

// The level to ask for in another game, where `first` is the easiest; nothing unless all opponents are followed.
export function levelIn(game, first) {
  const list = root.querySelector("#ending [data-opponents]");
  return list ? { level: read(`opponents.${game}`).level ?? first } : {};
}

root.addEventListener("change", ({ target }) => {
  if (target.matches("[data-bot-level]")) chosenLists.add(target.id);
  if (!target.matches("[data-opponents]")) return;
  change = "";
  store({ ...read(), level: target.value, run: 0 });
  showOpponents();
});
