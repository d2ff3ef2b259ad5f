// Acts that are sent in their order, once there is a connection, and that survive a reload. Each has a key of its own,
// which the server knows again, so that nothing happens twice. One that the server refuses stays, and holds back those
// of the same subject, until somebody sends it again or drops it.
const STORE = "actions";

function open(name) {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "id", autoIncrement: true });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function run(database, mode, act) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, mode);
    const request = act(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

// Browsers without a database keep the acts until the page is closed.
const createKey = () => crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export class ActionQueue extends EventTarget {
  #name;
  #send;
  #isFinal;
  #database = null;
  #actions = [];
  #sending = null;
  #next = 1;

  // `send` performs an act; `isFinal` says of its error whether the server has decided, or could not be asked.
  constructor({ name, send, isFinal }) {
    super();
    this.#name = name;
    this.#send = send;
    this.#isFinal = isFinal;
    addEventListener("online", () => this.flush());
  }

  get actions() {
    return this.#actions;
  }

  async open() {
    try {
      this.#database = await open(this.#name);
      this.#actions = await run(this.#database, "readonly", (store) => store.getAll());
    } catch {
      this.#database = null;
    }
    this.#tell();
  }

  async add(action) {
    const kept = { key: createKey(), at: Date.now(), problem: null, ...action };
    if (this.#database) kept.id = await run(this.#database, "readwrite", (store) => store.add(kept));
    else kept.id = this.#next++;
    this.#actions = [...this.#actions, kept];
    this.#tell();
    await this.flush();
    return this.#actions.find((each) => each.id === kept.id) ?? null;
  }

  async retry(id) {
    await this.#change(id, { problem: null });
    await this.flush();
  }

  async remove(id) {
    this.#actions = this.#actions.filter((action) => action.id !== id);
    if (this.#database) await run(this.#database, "readwrite", (store) => store.delete(id));
    this.#tell();
    await this.flush();
  }

  async clear() {
    this.#actions = [];
    if (this.#database) await run(this.#database, "readwrite", (store) => store.clear());
    this.#tell();
  }

  // Sends what can be sent. Several tabs of one page do not do so at once.
  flush() {
    this.#sending ??= this.#lock(() => this.#sendAll()).finally(() => (this.#sending = null));
    return this.#sending;
  }

  async #lock(act) {
    if (navigator.locks) await navigator.locks.request(this.#name, act);
    else await act();
  }

  async #sendAll() {
    for (let action = this.#find(); action; action = this.#find()) {
      try {
        const answer = await this.#send(action);
        this.dispatchEvent(new CustomEvent("sent", { detail: { action, answer } }));
        this.#actions = this.#actions.filter((each) => each.id !== action.id);
        if (this.#database) await run(this.#database, "readwrite", (store) => store.delete(action.id));
        this.#tell();
      } catch (error) {
        if (!this.#isFinal(error)) return;
        await this.#change(action.id, { problem: error.message });
      }
    }
  }

  #find() {
    const held = new Set();
    for (const action of this.#actions) {
      if (action.problem) held.add(action.subject);
      else if (!held.has(action.subject)) return action;
    }
    return null;
  }

  async #change(id, values) {
    this.#actions = this.#actions.map((action) => (action.id === id ? { ...action, ...values } : action));
    const changed = this.#actions.find((action) => action.id === id);
    if (changed && this.#database) await run(this.#database, "readwrite", (store) => store.put(changed));
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new Event("change"));
  }
}
