// Who is logged in on this screen, and what is asked of the API in their name.
const PLACE = "comanda.kitchen";
const ANSWER_MS = 8_000;
const changed = new EventTarget();

function read() {
  try {
    return JSON.parse(localStorage.getItem(PLACE)) ?? {};
  } catch {
    return {};
  }
}

let kept = read();

export const session = () => kept;

export function keep(values) {
  kept = { ...kept, ...values };
  try {
    localStorage.setItem(PLACE, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing still shows the board; it only asks again after a reload.
  }
}

// Logs out here; the store and the screen's name stay for the next who logs in.
export function forget(reason = "") {
  keep({ token: null, store: null });
  changed.dispatchEvent(new CustomEvent("out", { detail: reason }));
}

export const onOut = (listener) => changed.addEventListener("out", (event) => listener(event.detail));

export class Refused extends Error {
  constructor(status, document) {
    super(Object.values(document.errors ?? {}).flat()[0] ?? document.message ?? "The server did not take that.");
    this.status = status;
    this.reason = document.reason;
  }
}

// No answer came; nobody knows whether what was asked for was done.
export class Unanswered extends Error {}

export const headers = () => (kept.token ? { Authorization: `Bearer ${kept.token}` } : {});

export async function call(method, path, body) {
  const options = { method, cache: "no-store", headers: headers(), signal: AbortSignal.timeout(ANSWER_MS) };
  if (body) {
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  let answer, document;
  try {
    answer = await fetch(path, options);
    document = answer.status === 204 ? {} : await answer.json().catch(() => ({}));
  } catch {
    throw new Unanswered("No answer came. The board will show whether it counted.");
  }
  if (answer.ok) return document;
  if (answer.status === 401 && kept.token) forget("Your time here is over. Log in again.");
  throw new Refused(answer.status, document);
}
