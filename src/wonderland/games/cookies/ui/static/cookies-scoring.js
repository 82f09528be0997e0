// Counting the points of Cookies, as games/cookies/rules/scoring.py does: C19.

const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);

// Who wins with these large cookies, numbers of small ones, and spaces of the pawns; and by what.
export function scored(large, small, spaces) {
  const points = large.map((cookies, seat) => sum(cookies) + small[seat]);
  let winners = [...points.keys()];
  for (const [decided, numbers] of [["most", points], ["more", large.map((cookies) => cookies.length)], ["far", spaces]]) {
    const most = Math.max(...winners.map((seat) => numbers[seat]));
    winners = winners.filter((seat) => numbers[seat] === most);
    if (winners.length === 1) return { points, winners, decided };
  }
  return { points, winners, decided: "shared" };
}
