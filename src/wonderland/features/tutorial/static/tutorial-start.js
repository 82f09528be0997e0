// Starts a tutorial or one of its lessons: creates its table, takes the seat, starts the game, and goes there.

import { callApi, randomHex } from "./api.js";

const form = document.getElementById("learn");
const problem = document.getElementById("problem");
const { game, seats } = form.dataset;
const input = document.getElementById("name");
input.value ||= localStorage.getItem("name") || "";

// A guest who came here from an invitation finds the way back; links.js remembers it.
const table = sessionStorage.getItem("invited");
if (table) {
  const back = document.getElementById("invited");
  back.href = table;
  back.hidden = false;
}

// Starts the first game, or the lesson with this topic.
async function start(button, numberOfSeats, topic) {
  button.disabled = true;
  try {
    const name = input.value.trim() || input.placeholder;
    const { table } = await callApi("/api/tables", { game, seats: Number(numberOfSeats), lesson: true, topic });
    const commands = `/api/tables/${table}/commands`;
    await callApi(commands, { do: "sit", at: 0, key: randomHex(8), name, portrait: localStorage.getItem("portrait") ?? "", contribution: randomHex(32), seat: 0 });
    await callApi(commands, { do: "start", at: 1, key: randomHex(8) });
    sessionStorage.removeItem("quiet");
    location.href = `/tables/${table}`;
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
    button.disabled = false;
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  start(event.submitter, seats, "");
});
document.getElementById("lessons")?.addEventListener("click", (event) => {
  const button = event.target.closest("[data-topic]");
  if (button) start(button, button.dataset.seats, button.dataset.topic);
});
