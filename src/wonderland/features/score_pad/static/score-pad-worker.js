// Keeps the score pads for when there is no network; the server says before this line what they are.
// Only pages below /score/ ask here, and only what is named there is kept: no table, and no answer to a program.

const STORE = `pads-${KEPT.release}`;
const PATIENCE = 5000; // milliseconds, before what is kept is shown in place of what is slow

async function filled() {
  const store = await caches.open(STORE);
  await store.addAll([...KEPT.files, ...KEPT.pages.map((path) => new Request(path, { cache: "reload" }))]);
}

async function tidied() {
  const old = (await caches.keys()).filter((name) => name.startsWith("pads-") && name !== STORE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

// A page comes from the network whenever there is one, so that a new release is seen at once.
async function fetchedPage(request, path) {
  const store = await caches.open(STORE);
  const kept = await store.match(path);
  try {
    const signal = kept && AbortSignal.timeout(PATIENCE);
    const answer = await fetch(request, { signal });
    if (answer.ok) await store.put(path, answer.clone());
    return answer.status >= 500 && kept ? kept : answer;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

// The address of a file changes with what is in it: what is kept is right.
async function fetchedFile(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(STORE)).put(request, answer.clone());
  return answer;
}

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(filled());
});
addEventListener("activate", (event) => event.waitUntil(tidied().then(() => clients.claim())));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (KEPT.pages.includes(pathname)) event.respondWith(fetchedPage(request, pathname));
  else if (pathname.startsWith("/static/")) event.respondWith(fetchedFile(request));
});
