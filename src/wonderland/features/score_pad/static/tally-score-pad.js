// The score pad of a game without points: a tally of wins.

import { byId, fill, make, nameElement } from "./score-pad-common.js";
import { enterRound, openPad } from "./score-pad.js";

const tally = byId("tally");
let shown = null;

tally.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const seat = Number(button.value);
  const next = shown.round.map((won, each) => (each === seat ? !won : won));
  enterRound(next, fill(next[seat] ? tally.dataset.won : tally.dataset.not, { name: shown.names[seat] }));
});

openPad({
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
      tally.append(...names.map((name, seat) => make("button", { type: "button", value: seat }, nameElement(name))));
    }
    for (const button of tally.querySelectorAll("button")) button.setAttribute("aria-pressed", round[button.value]);
    shown = { round, names };
  },
  sheet: () => null,
});
