// Actions that outlive a lost connection, a reload and a closed tab: they are kept in the browser's database and sent to
// the API in order, each with an idempotency key, so that one whose answer was lost is not done twice.
//
//     const queue = new ActionQueue({ name: "comanda.kitchen", headers: () => session.headers, owner: () => storeId });
//     queue.addEventListener("sent", ({ detail: { action, document } }) => …);
//     queue.addEventListener("refused", ({ detail: { action, status, document } }) => …);
//     queue.start();
//     await queue.add({ lane: "item-7", method: "PUT", path: "/api/v1/…", body: { expected_status: "queued" } });
//
// Lanes are independent of one another; within a lane, an action is sent when the one before has been answered.
import { openActionStore } from "./action_store.js";

const WAITS_MS = [1_000, 2_000, 5_000, 10_000, 20_000, 30_000];
const ANSWER_MS = 10_000;
const FORM_MS = 60_000;
// Answers after which the same request may yet succeed.
const isTemporary = (status) => status >= 500 || [408, 425, 429].includes(status);

function createKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class ActionQueue extends EventTarget {
  #options;
  #store;
  #channel;
  #pending = [];
  #isStopped = true;
  #isPaused = false;
  #lock = null;
  #failures = 0;
  #laneWaits = new Map();
  #wake = () => {};

  // `name` is that of the database, `headers()` what every request is sent with, `owner()` for whom actions are: those
  // of another owner wait until that one is back; null sends nothing. `locate(action)` returns the path of an action
  // without one, whose subject another action creates; an error with a status that is final refuses the action.
  constructor(options) {
    super();
    this.#options = { headers: () => ({}), owner: () => "", ...options };
    this.#store = openActionStore(this.#options.name);
    this.#channel = new BroadcastChannel(`${this.#options.name}.actions`);
    this.#channel.onmessage = ({ data }) => this.#hear(data);
    this.ready = this.#load();
    addEventListener("online", () => this.retry());
    document.addEventListener("visibilitychange", () => document.hidden || this.retry());
  }

  // The current owner's actions that have no answer yet, the oldest first.
  get pending() {
    const owner = String(this.#options.owner() ?? "");
    return this.#pending.filter((action) => action.owner === owner);
  }

  // Whether the API no longer knows who asks; `start` goes on after they have logged in.
  get isPaused() {
    return this.#isPaused;
  }

  // Keeps an action and sends it as soon as it may be: {lane, method, path, body | form, expected, about}. `form` is a
  // list of [name, text or blob, file name]; `expected` and `about` are the page's own and come back in events.
  async add({ lane = "", method = "POST", path, body = null, form = null, expected = null, about = null, key = createKey() }) {
    const owner = String(this.#options.owner() ?? "");
    const action = { key, owner, lane, method, path, body, form, expected, about, attempts: 0, addedAt: Date.now() };
    // Shown before it is kept: what somebody taps counts at once.
    this.#pending.push(action);
    this.#change();
    try {
      action.id = await this.#store.add(action);
    } catch (error) {
      this.#pending = this.#pending.filter((each) => each !== action);
      this.#change();
      throw error;
    }
    this.#channel.postMessage({ type: "load" });
    this.retry();
    return action;
  }

  // Takes back an action that was not sent; returns whether it could be.
  async discard(key) {
    const action = this.#pending.find((each) => each.key === key);
    if (!action || action.attempts > 0 || action.id === undefined) return false;
    await this.#remove(action);
    return true;
  }

  async clear() {
    for (const action of this.pending) if (action.id !== undefined) await this.#remove(action);
  }

  start() {
    this.#isPaused = false;
    this.#failures = 0;
    this.#laneWaits.clear();
    this.retry();
    if (!this.#isStopped) return;
    this.#isStopped = false;
    this.#lock = new AbortController();
    const run = () => this.#run();
    // Of all tabs one sends; another takes over when it is closed. Without a secure context there are no locks.
    if (navigator.locks) navigator.locks.request(`${this.#options.name}.sender`, { signal: this.#lock.signal }, run).catch(() => {});
    else run();
  }

  stop() {
    this.#isStopped = true;
    this.#lock?.abort();
    this.#wake();
  }

  retry() {
    this.#failures = 0;
    this.#wake();
  }

  async #load() {
    const kept = await this.#store.list();
    const added = this.#pending.filter((action) => action.id === undefined);
    this.#pending = [...kept, ...added.filter((action) => !kept.some((each) => each.key === action.key))];
    this.#change();
  }

  async #run() {
    await this.ready;
    while (!this.#isStopped) {
      const next = this.#isPaused ? null : this.#choose();
      if (next === null) await this.#pause(this.#getWait());
      else await this.#send(next);
    }
  }

  // The oldest action whose lane does not wait.
  #choose() {
    const seen = new Set();
    for (const action of this.pending) {
      if (!seen.has(action.lane) && action.id !== undefined && (this.#laneWaits.get(action.lane)?.until ?? 0) <= Date.now()) return action;
      seen.add(action.lane);
    }
    return null;
  }

  #getWait() {
    const ends = [...this.#laneWaits.values()].map((wait) => wait.until - Date.now()).filter((left) => left > 0);
    return Math.min(30_000, ...ends);
  }

  async #send(action) {
    action.attempts += 1;
    await this.#store.put(action);
    let answer, received;
    try {
      const path = action.path ?? (await this.#options.locate(action));
      answer = await fetch(path, this.#prepare(action));
      received = answer.status === 204 ? {} : await answer.json().catch(() => ({}));
    } catch (error) {
      if (error.status && error.status !== 401 && !isTemporary(error.status)) {
        return this.#remove(action, "refused", { status: error.status, document: { message: error.message } });
      }
      // Nobody knows whether it counted, and no lane has a better connection.
      this.#tell("unanswered", { action });
      return this.#pause(this.#nextWait(this.#failures++));
    }
    this.#failures = 0;
    if (answer.status === 401) {
      this.#isPaused = true;
      return this.#tell("paused", { action, status: 401 });
    }
    if (isTemporary(answer.status)) {
      this.#tell("unanswered", { action });
      return this.#delay(action, answer);
    }
    this.#laneWaits.delete(action.lane);
    await this.#remove(action, answer.ok ? "sent" : "refused", { status: answer.status, document: received });
  }

  #prepare(action) {
    const options = { method: action.method, cache: "no-store", headers: { ...this.#options.headers(), "Idempotency-Key": action.key } };
    options.signal = AbortSignal.timeout(action.form ? FORM_MS : ANSWER_MS);
    if (action.form) {
      options.body = new FormData();
      for (const [name, value, file] of action.form) file ? options.body.append(name, value, file) : options.body.append(name, value);
    } else if (action.body !== null) {
      options.body = JSON.stringify(action.body);
      options.headers["Content-Type"] = "application/json";
    }
    return options;
  }

  #delay(action, answer) {
    const failures = this.#laneWaits.get(action.lane)?.failures ?? 0;
    const asked = Number(answer.headers.get("Retry-After")) * 1000 || 0;
    this.#laneWaits.set(action.lane, { failures: failures + 1, until: Date.now() + Math.max(asked, this.#nextWait(failures)) });
  }

  // Screens that lost the same server do not come back in step.
  #nextWait(failures) {
    return WAITS_MS[Math.min(failures, WAITS_MS.length - 1)] * (0.75 + Math.random() / 2);
  }

  async #remove(action, type = null, answer = {}) {
    await this.#store.delete(action.id);
    this.#pending = this.#pending.filter((each) => each.key !== action.key);
    // Before the change, so that a page knows what became of it when it draws what is left.
    if (type) this.#tell(type, { action, ...answer });
    this.#channel.postMessage({ type: "load" });
    this.#change();
  }

  #tell(type, detail) {
    this.#channel.postMessage({ type, detail });
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  async #hear({ type, detail }) {
    if (type !== "load") return this.dispatchEvent(new CustomEvent(type, { detail }));
    await this.#load();
    this.#wake();
  }

  #change() {
    this.dispatchEvent(new CustomEvent("change", { detail: { pending: this.pending } }));
  }

  #pause(milliseconds) {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
