// Score pad of Cookies. A round is { counts: cookies of each kind per player, farthest: seat of the farthest pawn, or null }.

import { byId, fill, figure, make, nameElement } from "./score-pad-common.js";
import { enterRound, openPad } from "./score-pad.js";
import { scored } from "./cookies-scoring.js";

const VALUES = [2, 3, 4, 5];
const SMALL = VALUES.length;
const box = byId("kinds");
const farthest = byId("farthest");
const words = box.dataset;
const rows = [...box.querySelectorAll(".kind")];
let shown = null; // what is on the screen: { round, player, names }

const isCount = (count) => Number.isInteger(count) && count >= 0;
const largeOf = (counts) => VALUES.flatMap((value, kind) => Array(counts[kind]).fill(value));
const total = (counts, kind) => counts.reduce((all, each) => all + each[kind], 0);
// Number of cookies of a kind in the box: fewer large ones with fewer players (C1).
const inBox = (kind, seats) => Number(kind === SMALL ? words.small : words.ofEach.split(" ")[seats - 2]);

function result({ counts, farthest: far }) {
  const spaces = counts.map((_, seat) => Number(seat === far));
  return scored(counts.map(largeOf), counts.map((each) => each[SMALL]), spaces);
}

// Seats tied for the win, whose pawns decide; the other pawns don't matter.
const tied = (round) => {
  const { winners } = result({ ...round, farthest: null });
  return winners.length > 1 ? winners : [];
};

box.addEventListener("click", (event) => {
  const button = event.target.closest("[data-by]");
  if (!button || button.getAttribute("aria-disabled")) return;
  const { round, player } = shown;
  const row = button.closest(".kind");
  const kind = Number(row.dataset.kind);
  const own = round.counts[player].with(kind, round.counts[player][kind] + Number(button.dataset.by));
  enterRound({ counts: round.counts.with(player, own), farthest: null }, fill(words.what, { kind: row.dataset.name, count: own[kind] }));
});
farthest.addEventListener("change", (event) => enterRound({ ...shown.round, farthest: Number(event.target.value) }, ""));

function show(round, player, names) {
  shown = { round, player, names };
  for (const [kind, row] of rows.entries()) {
    const [less, more] = row.querySelectorAll("button");
    const count = round.counts[player][kind];
    row.querySelector("output").textContent = count;
    for (const [button, off] of [[less, count === 0], [more, total(round.counts, kind) >= inBox(kind, names.length)]])
      if (off) button.setAttribute("aria-disabled", "true");
      else button.removeAttribute("aria-disabled");
  }
  askFarthest(round, names);
}

function askFarthest(round, names) {
  const seats = missing(round) ? [] : tied(round);
  farthest.hidden = !seats.length;
  const there = [...farthest.querySelectorAll("input")].map((each) => Number(each.value));
  if (there.join() !== seats.join()) {
    for (const old of farthest.querySelectorAll("label")) old.remove();
    for (const seat of seats) farthest.append(make("label", {}, make("input", { type: "radio", name: "farthest", value: seat }), nameElement(names[seat])));
  }
  for (const input of farthest.querySelectorAll("input")) input.checked = Number(input.value) === round.farthest;
}

const missing = ({ counts }) => (counts.flat().some(Boolean) ? "" : words.nothing);

function sheet(round, names) {
  const { points, winners } = result(round);
  const heads = ["", words.large, words.little, words.points].map((text) => (text ? make("th", { scope: "col" }, text) : make("td")));
  const body = round.counts.map((counts, seat) => {
    const cookies = largeOf(counts).map((value) => make("span", { class: "baked" }, figure(`cookie-${value}`), make("b", {}, String(value))));
    return make("tr", winners.includes(seat) && !missing(round) ? { class: "won" } : {}, make("th", { scope: "row" }, nameElement(names[seat])),
      make("td", { class: "cookies" }, ...(cookies.length ? cookies : ["–"])), make("td", {}, String(counts[SMALL])), make("td", { class: "total" }, String(points[seat])));
  });
  return make("div", { class: "sheet" }, make("table", {}, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, ...body)));
}

openPad({
  together: false,
  fewest: false,
  empty: (seats) => ({ counts: Array.from({ length: seats }, () => Array(SMALL + 1).fill(0)), farthest: null }),
  fits({ counts, farthest: far }, seats) {
    const whole = counts.every((each) => each.length === SMALL + 1 && each.every(isCount));
    const inside = whole && rows.every((_, kind) => total(counts, kind) <= inBox(kind, seats));
    return inside && counts.length === seats && (far === null || far in counts);
  },
  score(round) {
    const { points, winners, decided } = result(round);
    return { points, winners, reason: words[decided] };
  },
  missing,
  show,
  sheet,
});
