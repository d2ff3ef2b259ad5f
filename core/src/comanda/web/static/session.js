// Who is logged in in this browser, and what is asked of the API in their name: for pages that are its clients.

export class Refused extends Error {
  constructor(status, document) {
    super(Object.values(document.errors ?? {}).flat()[0] ?? document.message ?? "The server did not take that.");
    this.status = status;
    this.reason = document.reason;
    this.choices = document.choices;
    this.refundDue = document.refund_due;
    this.errors = document.errors ?? {};
    // The lines of an order that are not what its guest needs, by their position.
    this.conflicts = document.conflicts ?? [];
  }
}

// No answer came; nobody knows whether what was asked for was done.
export class Unanswered extends Error {}

// A body of so many characters takes a while on a slow connection, as a form with a file does.
const LONG_BODY = 20_000;

export class Session extends EventTarget {
  #options;
  #kept;
  #ahead = 0;

  // `place` is where it is kept, `base` what paths begin with, `forgets` what goes with the token, `over` and
  // `unanswered` the sentences for a token that is void and for silence; `sendMs` is the time for a form with files.
  constructor(options) {
    super();
    this.#options = { base: "", forgets: {}, answerMs: 10_000, sendMs: 60_000, ...options };
    this.#kept = this.#read();
    // Another window of the page changed what both of them show.
    addEventListener("storage", ({ key }) => {
      if (key !== this.#options.place) return;
      this.#kept = this.#read();
      this.dispatchEvent(new Event("change"));
    });
  }

  get kept() {
    return this.#kept;
  }

  // What the server's clock says now, for what ends at a moment of its own.
  get now() {
    return Date.now() + this.#ahead;
  }

  get headers() {
    return this.#kept.token ? { Authorization: `Bearer ${this.#kept.token}` } : {};
  }

  keep(values) {
    this.#kept = { ...this.#kept, ...values };
    try {
      localStorage.setItem(this.#options.place, JSON.stringify(this.#kept));
    } catch {
      // A browser that keeps nothing still works until it is closed or loaded again.
    }
  }

  // Logs out here; what else is kept stays for the next who logs in.
  forget(reason = "") {
    this.keep({ token: null, ...this.#options.forgets });
    this.dispatchEvent(new CustomEvent("out", { detail: reason }));
  }

  onOut(listener) {
    this.addEventListener("out", (event) => listener(event.detail));
  }

  // `headers` are added to those that say who is logged in.
  async call(method, path, body, headers = {}) {
    const { base, answerMs, sendMs, over, unanswered } = this.#options;
    const isForm = body instanceof FormData;
    const { token } = this.#kept;
    const options = { method, cache: "no-store", headers: { ...this.headers, ...headers } };
    if (body) {
      options.body = isForm ? body : JSON.stringify(body);
      if (!isForm) options.headers["Content-Type"] = "application/json";
    }
    options.signal = AbortSignal.timeout(isForm || options.body?.length > LONG_BODY ? sendMs : answerMs);
    let answer, document;
    try {
      answer = await fetch(base + path, options);
      // A success whose body never came whole, or is a page of the network's, is no answer; a refusal is one without it.
      document = answer.status === 204 ? {} : await answer.json().catch((error) => {
        if (answer.ok) throw error;
        return {};
      });
    } catch {
      throw new Unanswered(unanswered);
    }
    this.#ahead = (Date.parse(answer.headers.get("Date")) || Date.now()) - Date.now();
    if (answer.ok) return document;
    // Somebody else may have logged in meanwhile: then it was not their token.
    if (answer.status === 401 && token && token === this.#kept.token) this.forget(over);
    throw new Refused(answer.status, document);
  }

  #read() {
    try {
      return JSON.parse(localStorage.getItem(this.#options.place)) ?? {};
    } catch {
      return {};
    }
  }
}
