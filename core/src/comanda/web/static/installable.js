// An installable page: its worker, the offer to install it, and new releases.
const events = new EventTarget();
let prompt = null;

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  prompt = event;
  events.dispatchEvent(new Event("offer"));
});

// Calls the listener once the browser would install the page; `install` then asks the person.
export function onOffer(listener) {
  events.addEventListener("offer", listener);
  if (prompt) listener();
}

// Returns whether the person accepted.
export async function install() {
  const asked = prompt;
  prompt = null;
  if (!asked) return false;
  await asked.prompt();
  return (await asked.userChoice).outcome === "accepted";
}

// Calls the listener when the server has a new release; the page loads itself again when it suits those who work with it.
export const onRelease = (listener) => events.addEventListener("release", listener);

const CHECK_MS = 30 * 60_000;

async function register(path) {
  const wasControlled = Boolean(navigator.serviceWorker.controller);
  navigator.serviceWorker.addEventListener("controllerchange", () => wasControlled && events.dispatchEvent(new Event("release")));
  const registration = await navigator.serviceWorker.register(path);
  // A screen on a wall is never opened anew.
  setInterval(() => registration.update().catch(() => {}), CHECK_MS);
}

const worker = document.querySelector('meta[name="comanda-worker"]')?.content;
// Without a secure context there are no workers; the page works all the same.
if (worker && navigator.serviceWorker) register(worker).catch(() => {});
