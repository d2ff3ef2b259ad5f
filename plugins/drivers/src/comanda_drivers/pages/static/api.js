// Who is logged in on this phone, and what is asked of the API in their name.
const PLACE = "comanda.driver";
const ANSWER_MS = 10_000;
// A photo goes over a weak connection.
const PHOTO_MS = 60_000;
const changed = new EventTarget();

function read() {
  try {
    return JSON.parse(localStorage.getItem(PLACE)) ?? {};
  } catch {
    return {};
  }
}

let kept = read();
let ahead = 0;

export const session = () => kept;

// What the server's clock says now, for what ends at a moment of its own.
export const now = () => Date.now() + ahead;

export function keep(values) {
  kept = { ...kept, ...values };
  try {
    localStorage.setItem(PLACE, JSON.stringify(kept));
  } catch {
    // A browser that keeps nothing still works until it is closed.
  }
}

export function forget(reason = "") {
  keep({ token: null, driver: null });
  changed.dispatchEvent(new CustomEvent("out", { detail: reason }));
}

export const onOut = (listener) => changed.addEventListener("out", (event) => listener(event.detail));

export class Refused extends Error {
  constructor(status, document) {
    super(Object.values(document.errors ?? {}).flat()[0] ?? document.message ?? "The server did not take that.");
    this.status = status;
    this.reason = document.reason;
    this.choices = document.choices;
    this.errors = document.errors ?? {};
  }
}

// No answer came; nobody knows whether what was asked for was done.
export class Unanswered extends Error {}

export async function call(method, path, body) {
  const isForm = body instanceof FormData;
  const token = kept.token;
  const options = { method, cache: "no-store", headers: {}, signal: AbortSignal.timeout(isForm ? PHOTO_MS : ANSWER_MS) };
  if (token) options.headers.Authorization = `Bearer ${token}`;
  if (body) {
    options.body = isForm ? body : JSON.stringify(body);
    if (!isForm) options.headers["Content-Type"] = "application/json";
  }
  let answer, document;
  try {
    answer = await fetch(`/api/v1/driver${path}`, options);
    document = answer.status === 204 ? {} : await answer.json().catch(() => ({}));
  } catch {
    throw new Unanswered("No answer came. Try again.");
  }
  ahead = (Date.parse(answer.headers.get("Date")) || Date.now()) - Date.now();
  if (answer.ok) return document;
  if (answer.status === 401 && token && token === kept.token) forget("Log in again.");
  throw new Refused(answer.status, document);
}
