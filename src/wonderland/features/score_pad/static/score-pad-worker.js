// Service worker: caches the score pads for offline use. The server prepends KEPT, the pages and files to cache.
// It controls only pages below /score/ and caches only what is listed: no table, and no API response.

const CACHE = `pads-${KEPT.release}`;
const NETWORK_TIMEOUT = 5000; // milliseconds, before a cached page is shown instead of a slow one

async function fillCache() {
  const cache = await caches.open(CACHE);
  await cache.addAll([...KEPT.files, ...KEPT.pages.map((path) => new Request(path, { cache: "reload" }))]);
}

async function evictOldCaches() {
  const old = (await caches.keys()).filter((name) => name.startsWith("pads-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

// Pages are network first, so that a new release is used at once.
async function fetchPage(request, path) {
  const cache = await caches.open(CACHE);
  const cached = await cache.match(path);
  try {
    const signal = cached && AbortSignal.timeout(NETWORK_TIMEOUT);
    const response = await fetch(request, { signal });
    if (response.ok) await cache.put(path, response.clone());
    return response.status >= 500 && cached ? cached : response;
  } catch (error) {
    if (cached) return cached;
    throw error;
  }
}

// Files are cache first: their address changes with their content.
async function fetchFile(request) {
  const cached = await caches.match(request);
  if (cached) return cached;
  const response = await fetch(request);
  if (response.ok) await (await caches.open(CACHE)).put(request, response.clone());
  return response;
}

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(fillCache());
});
addEventListener("activate", (event) => event.waitUntil(evictOldCaches().then(() => clients.claim())));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (KEPT.pages.includes(pathname)) event.respondWith(fetchPage(request, pathname));
  else if (pathname.startsWith("/static/")) event.respondWith(fetchFile(request));
});
