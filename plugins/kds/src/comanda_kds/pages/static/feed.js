// The board as it comes: server-sent events, read with fetch because a browser's own reader sends no token.
import { gettext as _ } from "/own/texts.js";
import { forget, headers } from "./api.js";

// The server says something every ten seconds, if only that it is there.
const SILENCE_MS = 15_000;
const PAUSES_MS = [300, 1_000, 2_000, 5_000];

export class Feed {
  isConnected = false;
  #heard;
  #moved;
  #lastId = "";
  #isStopped = true;
  #connection = null;
  #wake = () => {};

  // `heard` is given each board and what the server's clock is ahead of ours; `moved`, whether there is a connection.
  constructor(heard, moved) {
    this.#heard = heard;
    this.#moved = moved;
    addEventListener("offline", () => this.#connection?.abort());
    addEventListener("online", () => this.retry());
    document.addEventListener("visibilitychange", () => document.hidden || this.retry());
  }

  start() {
    if (!this.#isStopped) return;
    this.#isStopped = false;
    this.#lastId = "";
    this.#run();
  }

  stop() {
    this.#isStopped = true;
    this.#connection?.abort();
    this.#wake();
  }

  retry() {
    this.#wake();
  }

  async #run() {
    let failures = 0;
    while (!this.#isStopped) {
      try {
        await this.#listen(() => {
          failures = 0;
          this.#connected(true);
        });
        await this.#pause(PAUSES_MS[0]);
      } catch {
        if (this.#isStopped) break;
        this.#connected(false);
        await this.#pause(PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)]);
      }
    }
    this.isConnected = false;
  }

  #connected(isConnected) {
    if (isConnected === this.isConnected && isConnected) return;
    this.isConnected = isConnected;
    this.#moved(isConnected);
  }

  async #listen(begin) {
    this.#connection = new AbortController();
    let silence;
    const listening = () => {
      clearTimeout(silence);
      silence = setTimeout(() => this.#connection.abort(), SILENCE_MS);
    };
    try {
      listening();
      const known = this.#lastId ? { "Last-Event-ID": this.#lastId } : {};
      const options = { cache: "no-store", headers: { ...headers(), ...known }, signal: this.#connection.signal };
      const answer = await fetch("/api/v1/staff/kds/stream", options);
      if (answer.status === 401 || answer.status === 403) {
        this.stop();
        forget(answer.status === 401 ? _("Your time here is over. Log in again.") : _("You may not see the kitchen's tickets."));
      }
      if (!answer.ok) throw new Error(answer.status);
      const ahead = (Date.parse(answer.headers.get("Date")) || Date.now()) - Date.now();
      begin();
      await this.#read(answer.body.pipeThrough(new TextDecoderStream()).getReader(), listening, ahead);
    } finally {
      clearTimeout(silence);
    }
  }

  async #read(reader, listening, ahead) {
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      listening();
      const parts = (text + value).split("\n\n");
      text = parts.pop();
      for (const part of parts) this.#take(part, ahead);
    }
  }

  #take(part, ahead) {
    const fields = Object.fromEntries(
      part
        .split("\n")
        .filter((row) => !row.startsWith(":"))
        .map((row) => [row.slice(0, row.indexOf(":")), row.slice(row.indexOf(":") + 2)]),
    );
    if (fields.event !== "board") return;
    this.#lastId = fields.id;
    this.#heard(JSON.parse(fields.data), ahead);
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
