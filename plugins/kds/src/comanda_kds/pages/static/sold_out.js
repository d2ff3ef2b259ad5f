// What is sold out: marked and taken back from a ticket or from the list, also while the network is away.
import { gettext as _, locale } from "/own/texts.js";
import { call } from "./api.js";
import { make } from "./drawing.js";
import { queue } from "./steps.js";

const KINDS = { item: "item_ids", extra: "extra_ids" };
const key = (kind, id) => `${kind}-${id}`;

export class SoldOut {
  #dialog;
  #list;
  #known = new Map();
  #offered = [];

  constructor(dialog, count) {
    this.#dialog = dialog;
    this.#list = dialog.querySelector("[data-sold-out-list]");
    this.#list.addEventListener("click", (event) => this.#press(event.target.closest("[data-sold]")));
    queue.addEventListener("change", () => this.#dialog.open && this.#draw());
    queue.addEventListener("sent", ({ detail: { action, document } }) => action.about?.soldOut && this.#take(document));
    this.count = count;
  }

  // `tickets` are those whose items are offered, besides what is sold out already.
  async open(tickets, title) {
    this.#offered = listThings(tickets);
    this.#dialog.querySelector("h2").textContent = title;
    this.#draw();
    this.#dialog.showModal();
    await this.read();
  }

  async read() {
    try {
      this.#take(await call("GET", "/api/v1/staff/integration/status"));
    } catch {
      // What was known last is still shown.
    }
  }

  #take({ snoozed_items: items, snoozed_extras: extras }) {
    const all = [...items.map((each) => ["item", each]), ...extras.map((each) => ["extra", each])];
    this.#known = new Map(all.map(([kind, each]) => [key(kind, each.id), { kind, ...each }]));
    this.count(this.#shown().filter((each) => each.isSoldOut).length);
    if (this.#dialog.open) this.#draw();
  }

  // The server's list with what waits to be sent.
  #shown() {
    const found = new Map(this.#offered.map((each) => [key(each.kind, each.id), { ...each, isSoldOut: false }]));
    for (const [name, each] of this.#known) found.set(name, { ...found.get(name), ...each, isSoldOut: true });
    for (const { about } of queue.pending) {
      const changed = about?.soldOut;
      if (changed) found.set(key(changed.kind, changed.id), { ...changed, isWaiting: true });
    }
    return [...found.values()].sort((one, other) => other.isSoldOut - one.isSoldOut || one.name.localeCompare(other.name));
  }

  #draw() {
    const focused = document.activeElement?.dataset?.sold;
    this.#list.replaceChildren(...this.#shown().map(row));
    this.#dialog.querySelector("[data-nothing]").hidden = this.#list.children.length > 0;
    if (focused) this.#list.querySelector(`[data-sold="${focused}"]`)?.focus();
  }

  async #press(button) {
    if (!button) return;
    const thing = this.#shown().find((each) => key(each.kind, each.id) === button.dataset.sold);
    const minutes = Number(this.#dialog.querySelector("select").value) || null;
    const snoozed = !thing.isSoldOut;
    const body = { [KINDS[thing.kind]]: [thing.id], snoozed, ...(snoozed && minutes ? { minutes } : {}) };
    const soldOut = { kind: thing.kind, id: thing.id, name: thing.name, isSoldOut: snoozed };
    await queue.add({ lane: "sold-out", method: "POST", path: "/api/v1/staff/integration/snooze", body, about: { soldOut } });
  }
}

function listThings(tickets) {
  const found = new Map();
  for (const item of tickets.flatMap((ticket) => ticket.items)) {
    if (item.item_id) found.set(key("item", item.item_id), { kind: "item", id: item.item_id, name: item.name });
    for (const extra of item.extras) if (extra.id) found.set(key("extra", extra.id), { kind: "extra", id: extra.id, name: extra.name });
  }
  return [...found.values()];
}

function row({ kind, id, name, isSoldOut, isWaiting, until }) {
  const states = [
    isSoldOut ? (until ? _("Sold out until %(time)s", { time: new Date(until).toLocaleTimeString(locale, { timeStyle: "short" }) }) : _("Sold out")) : _("Available"),
    isWaiting && _("waiting to be sent"),
  ];
  return make(
    "li",
    { "data-out": isSoldOut ? "" : null },
    make("span", {}, make("b", { dir: "auto" }, name), kind === "extra" && make("i", {}, _("Extra")), make("small", {}, states.filter(Boolean).join(" · "))),
    make("button", { type: "button", class: isSoldOut ? "plain" : "danger", "data-sold": key(kind, id), "aria-label": isSoldOut ? _("%(item)s is back", { item: name }) : _("%(item)s is sold out", { item: name }) }, isSoldOut ? _("Bring back") : _("86")),
  );
}
