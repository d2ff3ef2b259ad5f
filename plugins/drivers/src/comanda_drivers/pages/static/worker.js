// Makes the driver's page open without a connection. With one, everything comes from the server, and the copies here are
// renewed; data is never among them: the page keeps that itself, and forgets it when the driver logs out.
const CACHE = "comanda-driver";
// A weak connection is no better than none.
const ANSWER_MS = 5_000;
const VERSION = /\/v-[0-9a-f]+\//;
const PAGE = "/driver/";
const FILES = [
  PAGE, "/driver/manifest.webmanifest", "/own/comanda.css", "/own/place_map.css", "/own/mark.svg", "/own/icons.svg", "/own/texts.js", "/own/session.js", "/own/place_map.js",
  ...["action_queue.js", "api.js", "device_data.js", "dialogs.js", "drawing.js", "driver.css", "driver.js", "earnings.js", "elements.js", "login.js", "photos.js", "place.js", "push.js", "route.js"].map((name) => `/driver/static/${name}`),
];

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

async function answer(request, key) {
  const cache = await caches.open(CACHE);
  try {
    const fresh = await fetch(request, { signal: AbortSignal.timeout(ANSWER_MS) });
    if (fresh.ok) await cache.put(key, fresh.clone());
    return fresh;
  } catch (error) {
    const kept = await cache.match(key);
    if (!kept) throw error;
    return kept;
  }
}

addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  // A file is kept once, whatever version is in its address.
  const path = pathname.replace(VERSION, "/");
  if (event.request.method !== "GET" || origin !== location.origin || !FILES.includes(path)) return;
  event.respondWith(answer(event.request, path));
});

addEventListener("push", (event) => {
  const { title, text } = event.data.json();
  event.waitUntil(registration.showNotification(title, { body: text, icon: "/own/icon-192.png", tag: "comanda-driver" }));
});

async function openPage() {
  const [page] = await clients.matchAll({ type: "window" });
  return page ? page.focus() : clients.openWindow(PAGE);
}

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage());
});
