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

// A page without its scripts is empty, and nobody loads a screen on a wall again: it does so itself, ever more rarely.
const RETRIES = "comanda.retries";
const LOADING_MS = 60_000;

function retry() {
  const retries = Number(sessionStorage.getItem(RETRIES)) + 1;
  sessionStorage.setItem(RETRIES, retries);
  const notice = document.createElement("p");
  notice.setAttribute("role", "alert");
  notice.textContent = document.querySelector('meta[name="comanda-retry"]').content;
  document.querySelector("main").prepend(notice);
  setTimeout(() => location.reload(), Math.min(1000 * 2 ** retries, LOADING_MS));
}

// Browsers say that the page is loaded once its scripts ran, or failed before.
const hanging = setTimeout(retry, LOADING_MS);
const ready = () => { clearTimeout(hanging); sessionStorage.removeItem(RETRIES); };
addEventListener("DOMContentLoaded", ready);
for (const script of document.querySelectorAll("script[type=module]")) {
  script.addEventListener("error", () => {
    removeEventListener("DOMContentLoaded", ready);
    clearTimeout(hanging);
    retry();
  });
}

const worker = document.querySelector('meta[name="comanda-worker"]')?.content;
// Without a secure context there are no workers; the page works all the same.
if (worker && navigator.serviceWorker) register(worker).catch(() => {});
