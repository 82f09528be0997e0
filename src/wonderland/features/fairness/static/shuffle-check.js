// At a table: keeps its commitment, and verifies the shuffle as soon as the game is over.

import { callApi, keepShuffle, keptShuffle, keptTables } from "./api.js";
import { byId, id, root } from "./dom.js";
import { Mismatch, verifyShuffle } from "./shuffle.js";

const MOST = 100; // tables to keep
let verdict = null; // a promise, once the game is over

if (root.dataset.commitment) keepShuffle(id, root.dataset);
for (const table of keptTables().slice(MOST)) localStorage.removeItem(`shuffle.${table}`);

// A player who waits for a quick match may be taken to another table, with the same contribution.
function follow() {
  const next = byId("lobby").querySelector("[data-follow]")?.pathname.split("/").pop();
  if (next) for (const contribution of keptShuffle(id).contributions) keepShuffle(next, { contribution });
}

const ownSeats = () => [...root.querySelectorAll(".seats .me")].map((seat) => Number(seat.dataset.seat));

async function verify() {
  const kept = keptShuffle(id);
  let proof;
  try {
    proof = await callApi(`/api/tables/${id}/shuffle`);
  } catch (error) {
    // A refusal is an answer: with a commitment there must be a proof.
    return { state: error.body && kept.commitment ? "failed" : "unknown", code: "missing", fields: {} };
  }
  try {
    const found = verifyShuffle(proof, kept, id, ownSeats());
    return { state: !kept.commitment ? "late" : found.added.length ? "verified" : "watched", ...found };
  } catch (error) {
    const { code, fields } = error instanceof Mismatch ? error : { code: "unreadable", fields: {} };
    return { state: "failed", code, fields };
  }
}

function fill(text, fields) {
  return Object.entries(fields).reduce((said, [name, value]) => said.replace(`{${name}}`, value), text);
}

function showDetails(list, { commitment, added, secret, outcomes, takenBack, begun, line }) {
  const labels = [...new Set(line.map((draw) => draw.label))];
  const rows = [
    ["commitment", commitment],
    ...added.map((hex) => ["added", hex]),
    ["secret", secret],
    ["outcomes", outcomes],
    ...(takenBack ? [["takenBack", takenBack]] : []),
    ...(begun ? [["begun", begun]] : []),
    ...labels.map((label) => [label, line.flatMap((draw) => (draw.label === label ? [draw.outcome] : [])).join(" ")]),
  ];
  const parts = rows.flatMap(([name, value]) => {
    const [term, text] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = list.dataset[name] ?? name;
    text.textContent = value;
    return [term, text];
  });
  list.replaceChildren(...parts);
}

async function show() {
  const box = byId("shuffle");
  if (!box || "state" in box.dataset) return;
  verdict ??= verify();
  const found = await verdict;
  box.dataset.state = found.state;
  const summary = box.querySelector("summary");
  summary.textContent = summary.dataset[found.state];
  if (found.state === "failed") {
    const reason = box.querySelector(".why");
    reason.textContent = fill(reason.dataset[found.code] ?? reason.dataset.unreadable, found.fields);
    box.open = true;
    reason.setAttribute("role", "alert");
  } else if (found.state !== "unknown") showDetails(box.querySelector("dl"), found);
  box.hidden = false;
}

new MutationObserver(follow).observe(byId("lobby"), { childList: true });
new MutationObserver(show).observe(byId("ending"), { childList: true });
follow();
show();
