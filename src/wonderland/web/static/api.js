// Asking the server, from any page.

export const randomHex = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");

// What the server answers. If it refuses, or if nobody answers, an error is thrown whose message can be shown;
// what else a refusal says is in the error's `found`. The page has the words for when nobody answers.
export async function answerTo(path, body, method = body ? "POST" : "GET") {
  const json = body && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let answer;
  let found;
  try {
    answer = await fetch(path, { method, ...json });
    const isJson = answer.headers.get("Content-Type").startsWith("application/json");
    found = isJson ? await answer.json() : await answer.text();
  } catch {
    throw new Error(document.querySelector("[data-lost]").dataset.lost);
  }
  if (!answer.ok) throw Object.assign(new Error(found.says), { found });
  return found;
}
