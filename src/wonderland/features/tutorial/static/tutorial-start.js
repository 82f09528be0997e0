// Starts a tutorial: creates its table, takes the seat, starts the game, and goes there.

import { callApi, randomHex } from "./api.js";

const form = document.getElementById("learn");
const problem = document.getElementById("problem");
const { game, seats } = form.dataset;
const input = document.getElementById("name");
input.value ||= localStorage.getItem("name") || "";

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  event.submitter.disabled = true;
  try {
    const name = input.value.trim() || input.placeholder;
    const { table } = await callApi("/api/tables", { game, seats: Number(seats), lesson: true });
    const commands = `/api/tables/${table}/commands`;
    await callApi(commands, { do: "sit", at: 0, key: randomHex(8), name, contribution: randomHex(32), seat: 0 });
    await callApi(commands, { do: "start", at: 1, key: randomHex(8) });
    sessionStorage.removeItem("quiet");
    location.href = `/tables/${table}`;
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
    event.submitter.disabled = false;
  }
});
