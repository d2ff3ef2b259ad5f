// The worker of an installable page: answers with the page and its files while the network is away. The constants
// RELEASE, SHELL and FILES stand before this text. Nothing else is kept, and no answer of the API passes through here.
const CACHE = `page ${SHELL} ${RELEASE}`;
const ANSWER_MS = 4_000;
const paths = new Set(FILES);
// Pages that were opened from the cache: their files are of the same release.
const offline = new Set();

self.addEventListener("install", (event) => {
  const requests = [SHELL, ...FILES].map((path) => new Request(path, { cache: "reload" }));
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(requests))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const drop = async () => {
    for (const name of await caches.keys()) if (name.startsWith(`page ${SHELL} `) && name !== CACHE) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(drop());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== self.location.origin) return;
  if (request.mode === "navigate" && address.pathname === SHELL) event.respondWith(openShell(event));
  else if (paths.has(address.pathname)) event.respondWith(loadFile(event, address.pathname));
});

async function ask(request) {
  // Until the answer begins: a signal that goes off later cuts a body that a busy browser has not read yet.
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), ANSWER_MS);
  const answer = await fetch(request, { signal: late.signal }).finally(() => clearTimeout(timer));
  // What a proxy says while the server is away.
  if ([502, 503, 504].includes(answer.status)) throw new Error(answer.status);
  return answer;
}

async function openShell(event) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await ask(event.request);
    // In the language and colours that were chosen last.
    if (answer.ok && !answer.redirected && answer.headers.get("Page-Release") === RELEASE) event.waitUntil(cache.put(SHELL, answer.clone()));
    return answer;
  } catch {
    offline.add(event.resultingClientId);
    return (await cache.match(SHELL)) ?? Response.error();
  }
}

async function loadFile(event, path) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(path);
  if (kept && offline.has(event.clientId)) return kept;
  try {
    return await ask(event.request);
  } catch {
    return kept ?? Response.error();
  }
}
