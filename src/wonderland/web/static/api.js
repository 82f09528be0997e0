// HTTP requests to the server, for any page.

export const randomHex = (bytes) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");

// Returns the body of the response, parsed if it is JSON. Throws an Error with a message for the user if the server
// refuses (`body` of the error is the whole refusal) or can't be reached (the page has the wording in `data-lost`).
export async function callApi(path, data, method = data ? "POST" : "GET") {
  const json = data && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) };
  let response;
  let body;
  try {
    response = await fetch(path, { method, ...json });
    const isJson = response.headers.get("Content-Type").startsWith("application/json");
    body = isJson ? await response.json() : await response.text();
  } catch {
    throw new Error(document.querySelector("[data-lost]").dataset.lost);
  }
  if (!response.ok) throw Object.assign(new Error(body.says), { body });
  return body;
}
