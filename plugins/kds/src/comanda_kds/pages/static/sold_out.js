// What is sold out: marked and taken back from a ticket or from the list, also while the network is away.
import { gettext as _, locale } from "/own/texts.js";
import { call } from "./api.js";
import { make } from "./drawing.js";
import { queue } from "./steps.js";

const KINDS = { item: "item_ids", extra: "extra_ids" };
// Each item has an extra of its own; one name is one thing in the kitchen, and is sold out everywhere at once.
const keyOf = ({ kind, ids, name }) => (kind === "extra" ? `extra-${name}` : `item-${ids[0]}`);

export class SoldOut {
  #dialog;
  #list;
  #known = new Map();
  #offered = new Map();

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
    const all = [...items.map((each) => ({ kind: "item", ...each })), ...extras.map((each) => ({ kind: "extra", ...each }))];
    this.#known = collect(all);
    this.count(this.#shown().filter((each) => each.isSoldOut).length);
    if (this.#dialog.open) this.#draw();
  }

  // The server's list with what waits to be sent.
  #shown() {
    const found = new Map([...this.#offered].map(([key, each]) => [key, { ...each, isSoldOut: false }]));
    for (const [key, each] of this.#known) {
      const ids = [...new Set([...(found.get(key)?.ids ?? []), ...each.ids])];
      found.set(key, { ...each, ...found.get(key), until: each.until, ids, isSoldOut: true });
    }
    for (const { about } of queue.pending) {
      const changed = about?.soldOut;
      if (changed) found.set(keyOf(changed), { ...changed, isWaiting: true });
    }
    return [...found.values()].sort((one, other) => other.isSoldOut - one.isSoldOut || one.name.localeCompare(other.name));
  }

  #draw() {
    const focused = document.activeElement?.dataset?.sold;
    this.#list.replaceChildren(...this.#shown().map(row));
    this.#dialog.querySelector("[data-nothing]").hidden = this.#list.children.length > 0;
    if (focused) this.#list.querySelector(`[data-sold="${CSS.escape(focused)}"]`)?.focus();
  }

  async #press(button) {
    if (!button) return;
    const thing = this.#shown().find((each) => keyOf(each) === button.dataset.sold);
    const minutes = Number(this.#dialog.querySelector("select").value) || null;
    const snoozed = !thing.isSoldOut;
    const body = { [KINDS[thing.kind]]: thing.ids, snoozed, ...(snoozed && minutes ? { minutes } : {}) };
    const soldOut = { kind: thing.kind, ids: thing.ids, name: thing.name, of: thing.of, isSoldOut: snoozed };
    await queue.add({ lane: "sold-out", method: "POST", path: "/api/v1/staff/integration/snooze", body, about: { soldOut } });
  }
}

function listThings(tickets) {
  return collect(
    tickets
      .flatMap((ticket) => ticket.items)
      .flatMap((item) => [
        { kind: "item", id: item.item_id, name: item.name },
        ...item.extras.map((extra) => ({ kind: "extra", id: extra.id, name: extra.name, of: item.name })),
      ])
      .filter((each) => each.id),
  );
}

// Things by their key, an extra once with all of its ids and the names of its items.
function collect(things) {
  const found = new Map();
  for (const { kind, id, name, of, until } of things) {
    const key = keyOf({ kind, ids: [id], name });
    const thing = found.get(key) ?? { kind, ids: [], name, of: [], until };
    if (!thing.ids.includes(id)) thing.ids.push(id);
    if (of && !thing.of.includes(of)) thing.of.push(of);
    found.set(key, thing);
  }
  return found;
}

function row(thing) {
  const { kind, name, of, isSoldOut, isWaiting, until } = thing;
  const items = of?.length ? _("Extra for %(items)s", { items: new Intl.ListFormat(locale).format(of) }) : _("Extra");
  const states = [
    isSoldOut ? (until ? _("Sold out until %(time)s", { time: new Date(until).toLocaleTimeString(locale, { timeStyle: "short" }) }) : _("Sold out")) : _("Available"),
    isWaiting && _("waiting to be sent"),
  ];
  return make(
    "li",
    { "data-out": isSoldOut ? "" : null },
    make("span", {}, make("b", { dir: "auto" }, name), kind === "extra" && make("i", {}, items), make("small", {}, states.filter(Boolean).join(" · "))),
    make("button", { type: "button", class: isSoldOut ? "plain" : "danger", "data-sold": keyOf(thing), "aria-label": isSoldOut ? _("%(item)s is back", { item: name }) : _("%(item)s is sold out", { item: name }) }, isSoldOut ? _("Bring back") : _("86")),
  );
}
