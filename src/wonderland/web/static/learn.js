// The beginning of a lesson: lays its table, sits down, starts, and goes there.

const randomHex = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");
const form = document.getElementById("learn");
const problem = document.getElementById("problem");
const { game, seats } = form.dataset;
const input = document.getElementById("name");
input.value = localStorage.getItem("name") || "";

async function post(path, body) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.says);
  return found;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  event.submitter.disabled = true;
  try {
    const name = input.value.trim() || input.placeholder;
    const { table } = await post("/api/tables", { game, seats: Number(seats), lesson: true });
    const commands = `/api/tables/${table}/commands`;
    await post(commands, { do: "sit", at: 0, key: randomHex(8), name, contribution: randomHex(32), seat: 0 });
    await post(commands, { do: "start", at: 1, key: randomHex(8) });
    sessionStorage.removeItem("quiet");
    location.href = `/tables/${table}`;
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
    event.submitter.disabled = false;
  }
});
