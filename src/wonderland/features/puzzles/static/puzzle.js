// The page of a puzzle: results of first attempts, the player's rating, and a puzzle to go on with.

import { byId, root } from "./dom.js";
import { startBoard } from "./puzzle-board.js";
import { chooseNext, loadResults, recordAttempt } from "./puzzle-record.js";

const { game, table: id, day, solved, total, rating, deviation, theme } = root.dataset;
const KEY = `puzzles-${game}`;

const fill = (text, fields) => text.replace(/\{(\w+)\}/g, (_, name) => fields[name]);
const numbers = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 0 });

function showResults({ first, row, player }) {
  const tried = Object.values(first);
  if (!tried.length) return;
  const tally = byId("tally");
  const lines = [fill(tally.dataset.count, { number: tried.filter(Boolean).length, total })];
  if (row.length > 1) lines.push(fill(tally.dataset.row, { number: row.length }));
  tally.textContent = lines.join(" · ");
  const own = byId("own-rating");
  own.textContent = fill(own.dataset.text, {
    rating: numbers.format(player.rating),
    low: numbers.format(player.rating - 2 * player.deviation),
    high: numbers.format(player.rating + 2 * player.deviation),
  });
  tally.hidden = own.hidden = false;
}

startBoard();

const puzzle = { rating: Number(rating), deviation: Number(deviation) };
showResults(solved === undefined ? loadResults(KEY) : recordAttempt(KEY, id, puzzle, solved === "1", Number(day ?? 0)));

// "Next" leads to an unsolved puzzle near the player's rating; without a connection, to the next in the list.
const next = byId("next");
next.addEventListener("click", async (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  let address = next.href;
  try {
    const stock = await (await fetch(next.dataset.stock)).json();
    const found = chooseNext(loadResults(KEY), stock, id);
    if (found) address = `/puzzles/${game}/${found}${theme ? `?theme=${theme}` : ""}`;
  } catch {
    /* The link itself will do. */
  }
  location.href = address;
});

byId("theme")?.addEventListener("change", (event) => event.target.form.submit());
