// The app's side of the bridge. Its host's origin is not known in advance: the page asks for it from whoever frames it,
// which the header frame-ancestors limits to Comanda.
const host = new URL(document.referrer).origin;
const waiting = new Map();
let last = 0;
let isReady = false;

function send(message) {
  window.parent.postMessage(message, host);
}

function getSessionToken() {
  // A token lasts a minute: ask for a fresh one for each request.
  const id = ++last;
  send({ type: "session-token", id });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

async function showOwner() {
  const token = await getSessionToken();
  const response = await fetch("/whoami", { headers: { Authorization: `Bearer ${token}` } });
  const answer = await response.json();
  document.getElementById("who").textContent = response.ok
    ? `You are owner ${answer.owner}, installation ${answer.installation}.`
    : `Refused: ${answer.error}`;
}

window.addEventListener("message", ({ origin, source, data }) => {
  if (origin !== host || source !== window.parent) {
    return;
  }
  if (data.type === "ready" && !isReady) {
    isReady = true;
    showOwner();
  } else if (data.type === "session-token" && waiting.has(data.id)) {
    const { resolve, reject } = waiting.get(data.id);
    waiting.delete(data.id);
    data.token ? resolve(data.token) : reject(new Error(data.error));
  }
});

document.getElementById("toast").addEventListener("click", () => send({ type: "toast", message: "Saved <b>it</b>" }));
document.getElementById("grow").addEventListener("click", () => send({ type: "resize", height: 1234 }));
document.getElementById("leave").addEventListener("click", () => send({ type: "navigate", path: "/docs/guide/" }));

// Either side may be loaded first: the host answers this, and says so by itself once it listens.
send({ type: "ready" });
