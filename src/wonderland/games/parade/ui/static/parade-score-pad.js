// Parade's score pad: tap the cards in front of each player. A round is a list of card numbers per player.

import { byId, figure, fill, hiddenText, initials, make, nameElement, words as shell } from "./score-pad-common.js";
import { announce, enterRound, openPad } from "./score-pad.js";
import { scored, sheetsOf, valueOf } from "./parade-scoring.js";

const DECK = 66;
const grid = byId("spots");
const words = grid.dataset;
const spots = [...grid.querySelectorAll(".spot")];
const colours = [...grid.children];
let shown = null; // the current screen: { zones, player, names }

const ownerOf = (zones, card) => zones.findIndex((zone) => zone.includes(card));

function toggleCard(spot) {
  const { zones, player, names } = shown;
  const card = Number(spot.dataset.card);
  const owner = ownerOf(zones, card);
  if (owner !== -1 && owner !== player) {
    announce(fill(words.with, { card: spot.dataset.name, name: names[owner] }));
    return;
  }
  const has = owner === player;
  const zone = has ? zones[player].filter((each) => each !== card) : [...zones[player], card].sort((a, b) => a - b);
  enterRound(zones.with(player, zone), has ? fill(shell.removed, { what: spot.dataset.name }) : spot.dataset.name);
}

function show(zones, player, names) {
  shown = { zones, player, names };
  const letters = initials(names);
  for (const spot of spots) {
    const owner = ownerOf(zones, Number(spot.dataset.card));
    const others = owner !== -1 && owner !== player;
    spot.setAttribute("aria-pressed", owner === player);
    spot.toggleAttribute("data-others", others);
    if (others) spot.setAttribute("aria-disabled", "true");
    else spot.removeAttribute("aria-disabled");
    spot.setAttribute("aria-label", others ? fill(words.with, { card: spot.dataset.name, name: names[owner] }) : spot.dataset.name);
    spot.querySelector("i").textContent = owner === -1 ? "" : owner === player ? "✓" : letters[owner];
  }
}

/* Arrow keys follow the visual layout of the grid, in which colours are either columns or rows. */

function spotInDirection(key, place) {
  const colour = Math.floor(place / 11);
  const value = place % 11;
  const columns = spots[0].offsetTop !== spots[1].offsetTop;
  const steps = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
  if (key === "Home") return colour * 11;
  if (key === "End") return colour * 11 + 10;
  if (!(key in steps)) return null;
  const [across, down] = steps[key];
  const [byColour, byValue] = columns ? [across, down] : [down, across];
  return ((colour + byColour + 6) % 6) * 11 + ((value + byValue + 11) % 11);
}

grid.addEventListener("keydown", (event) => {
  const place = spots.indexOf(event.target);
  const next = place === -1 || event.ctrlKey || event.altKey || event.metaKey ? null : spotInDirection(event.key, place);
  if (next === null) return;
  event.preventDefault();
  spots[next].focus();
});
grid.addEventListener("focusin", (event) => {
  for (const spot of spots) spot.tabIndex = spot === event.target ? 0 : -1;
});
grid.addEventListener("click", (event) => {
  const spot = event.target.closest(".spot");
  if (spot) toggleCard(spot);
});

/* The score sheet, laid out as in the rulebook */

function cell({ cards, majority, points }) {
  if (!cards.length) return make("td", {}, "–");
  const values = cards.map(valueOf).sort((a, b) => b - a).join(" ");
  const star = majority ? [make("span", { class: "star", "aria-hidden": "true" }, "★"), hiddenText(`${words.majority} `)] : [];
  return make("td", majority ? { class: "majority" } : {}, make("small", {}, values), " ", make("b", {}, ...star, String(points)));
}

function sheet(zones, names) {
  const { points, winners } = scored(zones);
  const heads = colours.map((colour) =>
    make("th", { scope: "col", class: colour.classList[1] }, figure(colour.dataset.figure), hiddenText(colour.getAttribute("aria-label"))));
  const rows = sheetsOf(zones).map((scores, seat) =>
    make("tr", winners.includes(seat) && zones.every((zone) => zone.length) ? { class: "won" } : {},
      make("th", { scope: "row" }, nameElement(names[seat])), ...scores.map(cell), make("td", { class: "total" }, String(points[seat]))));
  const head = make("thead", {}, make("tr", {}, make("td"), ...heads, make("th", { scope: "col" }, words.total)));
  const notes = [`★ ${words.counts}`, ...(names.length === 2 ? [words.two] : [])].map((note) => make("p", { class: "note" }, note));
  return make("div", { class: "sheet" }, make("table", {}, head, make("tbody", {}, ...rows)), ...notes);
}

openPad({
  together: false,
  fewest: true,
  empty: (seats) => Array.from({ length: seats }, () => []),
  fits(zones, seats) {
    const cards = zones.flat();
    const whole = cards.every((card) => Number.isInteger(card) && card >= 0 && card < DECK);
    return whole && zones.length === seats && zones.every(Array.isArray) && new Set(cards).size === cards.length;
  },
  score(zones) {
    const { points, winners, decided } = scored(zones);
    return { points, winners, reason: words[decided] };
  },
  missing(zones, names) {
    const seat = zones.findIndex((zone) => !zone.length);
    return seat === -1 ? "" : fill(words.nothing, { name: names[seat] });
  },
  show,
  sheet,
});
