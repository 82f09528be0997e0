// Results of puzzles, kept in this browser only: first attempts, the streak of days, and a rating.
//
// The rating is Glicko's: a first attempt is a game between the player and the puzzle, both of whose ratings are
// uncertain. `features/puzzles/progress.py` computes the same in Python, and a test compares them.

const START = { rating: 1500, deviation: 350 };
const LEAST_DEVIATION = 45;
const Q = Math.LN10 / 400;

// The rating after an attempt at a puzzle with its own rating and deviation.
export function rateAttempt(player, puzzle, solved) {
  const damping = 1 / Math.sqrt(1 + (3 * Q * Q * puzzle.deviation ** 2) / Math.PI ** 2);
  const expected = 1 / (1 + 10 ** ((-damping * (player.rating - puzzle.rating)) / 400));
  const information = Q * Q * damping * damping * expected * (1 - expected);
  const variance = 1 / (1 / player.deviation ** 2 + information);
  return {
    rating: player.rating + Q * variance * damping * (Number(solved) - expected),
    deviation: Math.max(LEAST_DEVIATION, Math.sqrt(variance)),
  };
}

// The results stored under a key. Those of earlier versions have no rating.
export function loadResults(key) {
  try {
    const stored = JSON.parse(localStorage.getItem(key));
    if (stored?.first && stored.row) return { player: START, ...stored };
  } catch {
    /* Not our data, or storage is blocked. */
  }
  return { first: {}, row: { day: 0, length: 0 }, player: START };
}

// Records the first attempt at a puzzle only. `today` is the number of the day if it is the puzzle of the day, else 0;
// the streak (`row`) grows with each of them that is solved on its day.
export function recordAttempt(key, id, puzzle, solved, today) {
  const results = loadResults(key);
  if (id in results.first) return results;
  results.first[id] = Number(solved);
  results.player = rateAttempt(results.player, puzzle, solved);
  if (today) {
    const length = results.row.day === today - 1 ? results.row.length : 0;
    results.row = solved ? { day: today, length: length + 1 } : { day: today, length: 0 };
  }
  try {
    localStorage.setItem(key, JSON.stringify(results));
  } catch {
    /* Storage is full or blocked: the result is lost. */
  }
  return results;
}

// One of the unsolved puzzles in `stock`, a list of [id, rating], that suits a player: one of the nearest by rating.
export function chooseNext(results, stock, current) {
  const distance = ([, rating]) => Math.abs(rating - results.player.rating);
  const open = stock.filter(([id]) => id !== current && !(id in results.first));
  open.sort((one, other) => distance(one) - distance(other));
  const near = open.slice(0, 12);
  return near.length ? near[Math.floor(Math.random() * near.length)][0] : null;
}
