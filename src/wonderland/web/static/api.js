// HTTP requests to the server, for any page.

export const randomHex = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");

// What this device keeps of the shuffle of a table, to verify the game after its end (shuffle-check.js): the commitment that the
// table showed first, what this device added, and which seats it has taken over from a device that did so.
const NOTHING = { commitment: "", contributions: [], claimed: [] };
export const keptShuffle = (table) => ({ ...NOTHING, time: Date.now(), ...JSON.parse(localStorage.getItem(`shuffle.${table}`)) });

export function keepShuffle(table, { commitment, contribution, claimed }) {
  const kept = keptShuffle(table);
  kept.commitment ||= commitment ?? "";
  if (contribution) kept.contributions = [...new Set([...kept.contributions, contribution])];
  if (claimed !== undefined) kept.claimed = [...kept.claimed, claimed];
  localStorage.setItem(`shuffle.${table}`, JSON.stringify(kept));
}

// The tables that something is kept of, newest first.
export function keptTables() {
  const tables = Object.keys(localStorage).flatMap((key) => (key.startsWith("shuffle.") ? [key.slice(8)] : []));
  return tables.sort((one, other) => keptShuffle(other).time - keptShuffle(one).time);
}

// Makes a random contribution to the shuffle of a table that shows this commitment; it is kept before it is sent.
export function contribute(table, commitment) {
  const contribution = randomHex(32);
  keepShuffle(table, { commitment, contribution });
  return contribution;
}

// Shows a sentence, followed by a link to the rule it is about; `rule` is its path, such as /rules/parade#P4.
export function showSentence(element, sentence, rule = "") {
  element.textContent = sentence;
  if (!rule) return;
  const link = Object.assign(document.createElement("a"), { href: rule, target: "_blank", className: "rule-link" });
  link.textContent = document.body.dataset.rule.replace("{number}", rule.split("#")[1]);
  element.append(" ", link);
}

// Returns the body of the response, parsed if it is JSON. Throws an Error with a message for the user if the server
// refuses (`body` of the error is the problem document) or can't be reached (the page has the wording in `data-lost`).
export async function callApi(path, data, method = data ? "POST" : "GET") {
  const json = data && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) };
  let response;
  let body;
  try {
    response = await fetch(path, { method, ...json });
    const isJson = /^application\/(problem\+)?json/.test(response.headers.get("Content-Type"));
    body = isJson ? await response.json() : await response.text();
  } catch {
    throw new Error(document.querySelector("[data-lost]").dataset.lost);
  }
  if (!response.ok) throw Object.assign(new Error(body.detail), { body });
  return body;
}
