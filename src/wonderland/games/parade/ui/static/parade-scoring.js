// Scoring for Parade (P12 to P15), equivalent to games/parade/rules/scoring.py. A card is its index in the deck.

const COLOURS = 6;
const VALUES = 11;

const colourOf = (card) => Math.floor(card / VALUES);
export const valueOf = (card) => card % VALUES;
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

// The number of cards of a colour that a seat needs for the majority, given every seat's count.
function needed(counts, seat) {
  if (counts.length === 2) return counts[1 - seat] + 2; // P13: two more than the other player
  return Math.max(1, ...counts); // P12: the highest count, but at least one
}

// For each seat and colour: the cards, whether they have the majority, and their score.
export function sheetsOf(zones) {
  const byColour = zones.map((zone) => Array.from({ length: COLOURS }, (_, colour) => zone.filter((card) => colourOf(card) === colour)));
  return byColour.map((colours, seat) => colours.map((cards, colour) => {
    const majority = cards.length >= needed(byColour.map((others) => others[colour].length), seat);
    return { cards, majority, points: majority ? cards.length : sum(cards.map(valueOf)) }; // P12, P14
  }));
}

export function scored(zones) {
  const points = sheetsOf(zones).map((colours) => sum(colours.map((each) => each.points)));
  const lowest = Math.min(...points);
  const leaders = [...points.keys()].filter((seat) => points[seat] === lowest);
  const fewest = Math.min(...leaders.map((seat) => zones[seat].length)); // P15
  const winners = leaders.filter((seat) => zones[seat].length === fewest);
  const decided = leaders.length === 1 ? "lowest" : winners.length === 1 ? "fewest" : "shared";
  return { points, winners, decided };
}
