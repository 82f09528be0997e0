// The pad of a game that counts no points: a tally of who has won.

import { byId, fill, make, named } from "./score-pad-common.js";
import { enter, open } from "./score-pad.js";

const tally = byId("tally");
let shown = null;

tally.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const seat = Number(button.value);
  const next = shown.round.map((won, each) => (each === seat ? !won : won));
  enter(next, fill(next[seat] ? tally.dataset.won : tally.dataset.not, { name: shown.names[seat] }));
});

open({
  together: true,
  fewest: false,
  empty: (seats) => Array(seats).fill(false),
  fits: (round, seats) => Array.isArray(round) && round.length === seats && round.every((won) => typeof won === "boolean"),
  score: (round) => ({ points: round.map(Number), winners: round.flatMap((won, seat) => (won ? [seat] : [])), reason: tally.dataset.reason }),
  missing: (round) => (round.includes(true) ? "" : tally.dataset.nobody),
  show(round, _, names) {
    const buttons = [...tally.querySelectorAll("button")];
    if (buttons.map((each) => each.textContent).join("\n") !== names.join("\n")) {
      for (const old of buttons) old.remove();
      tally.append(...names.map((name, seat) => make("button", { type: "button", value: seat }, named(name))));
    }
    for (const button of tally.querySelectorAll("button")) button.setAttribute("aria-pressed", round[button.value]);
    shown = { round, names };
  },
  sheet: () => null,
});
