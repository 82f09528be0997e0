// Scoring of Cookies (C19), the same as in games/cookies/rules/scoring.py.

const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);

// Return points, winners and the deciding criterion for these large cookies, counts of small ones, and pawns' spaces.
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
