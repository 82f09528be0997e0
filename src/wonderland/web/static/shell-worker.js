// The service worker of the shell: shows a page of its own when the server can't be reached, and opens the table of a
// notification. The server prepends KEPT. Tables and the API never pass through it.

const CACHE = `shell-${KEPT.release}`;

async function fillCache() {
  const cache = await caches.open(CACHE);
  await cache.addAll([...KEPT.files, new Request(KEPT.page, { cache: "reload" })]);
}

async function evictOldCaches() {
  const old = (await caches.keys()).filter((name) => name.startsWith("shell-") && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

async function showNotified(url) {
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const shown = windows.find((each) => each.url.split("#")[0] === url);
  return shown ? shown.focus() : clients.openWindow(url);
}

addEventListener("install", (event) => {
  skipWaiting();
  // Browsers that can are told not to start this worker for what it doesn't answer.
  event.addRoutes?.({ condition: { urlPattern: "/api/*" }, source: "network" })?.catch(() => {});
  event.waitUntil(fillCache());
});
addEventListener("activate", (event) => event.waitUntil(evictOldCaches()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(KEPT.page)));
  else if (KEPT.files.includes(pathname)) event.respondWith(caches.match(pathname).then((kept) => kept ?? fetch(request)));
});
addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(showNotified(event.notification.data));
});
