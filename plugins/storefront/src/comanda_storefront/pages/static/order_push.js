// Push messages about this order, for browsers that have them. They are asked for by a press, never when the page opens.
const box = document.querySelector("[data-push]");
const KEY = "comanda.push";
const MAX_ORDERS = 20;

// The orders for which messages are on in this browser.
const read = () => {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? [];
  } catch {
    return [];
  }
};

function keep(token, isOn) {
  const others = read().filter((each) => each !== token);
  localStorage.setItem(KEY, JSON.stringify(isOn ? [...others, token].slice(-MAX_ORDERS) : others));
}

async function send(action, body) {
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`/api/v1/track/${box.dataset.push}/push/${action}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw Object.assign(new Error("refused"), { sentence: (await answer.json()).message });
}

async function turnOn() {
  // Nothing is awaited before it, or the press no longer counts.
  if ((await Notification.requestPermission()) !== "granted") return box.dataset.blocked;
  await navigator.serviceWorker.register("/t/worker.js");
  const worker = await navigator.serviceWorker.ready;
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: box.dataset.key });
  await send("register-device", { token: JSON.stringify(subscription), locale: document.documentElement.lang });
  keep(box.dataset.push, true);
  return box.dataset.on;
}

async function turnOff() {
  const worker = await navigator.serviceWorker.getRegistration("/t/");
  const subscription = await worker?.pushManager.getSubscription();
  // It stays for other orders.
  if (subscription) await send("unregister-device", { token: JSON.stringify(subscription) });
  keep(box.dataset.push, false);
  return "";
}

function draw() {
  const isOn = Notification.permission === "granted" && read().includes(box.dataset.push);
  for (const button of box.querySelectorAll("button")) {
    button.disabled = false;
    button.hidden = (button.dataset.turn === "off") !== isOn;
  }
}

async function press(button) {
  const said = box.querySelector("[role=status]");
  button.disabled = true;
  try {
    said.textContent = await (button.dataset.turn === "on" ? turnOn() : turnOff());
  } catch (error) {
    said.textContent = error.sentence ?? box.dataset.failed;
  }
  draw();
  box.querySelector("button:not([hidden])").focus();
}

if (box && navigator.serviceWorker && "PushManager" in window && "Notification" in window && Notification.permission !== "denied") {
  draw();
  box.hidden = false;
  box.addEventListener("click", ({ target }) => target.closest("button") && press(target.closest("button")));
}
