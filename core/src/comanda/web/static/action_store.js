// Where actions are kept until they are answered: the browser's database; memory, if it has none or refuses.

const promise = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

class DatabaseStore {
  #database;

  constructor(database) {
    this.#database = database;
  }

  #run(mode, act) {
    return new Promise((resolve, reject) => {
      const transaction = this.#database.transaction("actions", mode, { durability: "strict" });
      const request = act(transaction.objectStore("actions"));
      // Not before it is on the disk: a tablet may lose its power.
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = transaction.onabort = () => reject(transaction.error);
    });
  }

  list() {
    return this.#run("readonly", (actions) => actions.getAll());
  }

  add(action) {
    return this.#run("readwrite", (actions) => actions.add(action));
  }

  put(action) {
    return this.#run("readwrite", (actions) => actions.put(action));
  }

  delete(id) {
    return this.#run("readwrite", (actions) => actions.delete(id));
  }
}

class MemoryStore {
  #actions = new Map();
  #last = 0;

  async list() {
    return [...this.#actions.values()];
  }

  async add(action) {
    this.#last += 1;
    this.#actions.set(this.#last, { ...action, id: this.#last });
    return this.#last;
  }

  async put(action) {
    this.#actions.set(action.id, action);
  }

  async delete(id) {
    this.#actions.delete(id);
  }
}

async function open(name) {
  try {
    const request = indexedDB.open(`${name}.actions`, 1);
    request.onupgradeneeded = () => request.result.createObjectStore("actions", { keyPath: "id", autoIncrement: true });
    return new DatabaseStore(await promise(request));
  } catch {
    return new MemoryStore();
  }
}

// Returns a store at once; what is asked of it waits until the database is open.
export function openActionStore(name) {
  const opened = open(name);
  const later = (method) => async (value) => (await opened)[method](value);
  return { list: later("list"), add: later("add"), put: later("put"), delete: later("delete") };
}
