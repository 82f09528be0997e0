// Finds opponents: sends the player's wishes, and goes to the table where they have a seat now.

import { callApi, keepShuffle, randomHex } from "./api.js";

const form = document.getElementById("find");
const problem = document.getElementById("problem");
const name = document.getElementById("name");
const { fewest, most, bots, rated } = form.elements;
name.value ||= localStorage.getItem("name") || "";

// Offers the numbers of players of the chosen game: all of them, unless the player has chosen before.
function offerNumbers() {
  const { fewest: low, most: high } = form.querySelector("[name=game]:checked").dataset;
  const numbers = Array.from({ length: high - low + 1 }, (_, n) => Number(low) + n);
  for (const select of [fewest, most]) select.replaceChildren(...numbers.map((n) => new Option(n, n)));
  fewest.value = low;
  most.value = high;
}

form.addEventListener("change", (event) => {
  if (event.target.name === "game") offerNumbers();
  if (event.target === fewest && Number(most.value) < Number(fewest.value)) most.value = fewest.value;
  if (event.target === most && Number(most.value) < Number(fewest.value)) fewest.value = most.value;
  bots.disabled = rated.checked;
});

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  event.submitter.disabled = true;
  problem.hidden = true;
  const own = name.value.trim() || name.placeholder;
  localStorage.setItem("name", own);
  const wish = {
    game: form.elements.game.value,
    name: own,
    portrait: localStorage.getItem("portrait") ?? "",
    contribution: randomHex(32),
    fewest: Number(fewest.value),
    most: Number(most.value),
    bots: bots.checked && !rated.checked,
    rated: rated.checked,
  };
  try {
    const { table } = await callApi("/api/matches", wish);
    keepShuffle(table, wish);
    location.href = `/tables/${table}`;
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
    event.submitter.disabled = false;
  }
});

offerNumbers();
addEventListener("pageshow", (event) => event.persisted && location.reload());
