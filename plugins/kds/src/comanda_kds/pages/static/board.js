// The board: pages of tickets that flow in columns and keep their places, and the focus, which is never lost.
import { gettext as _, ngettext } from "/own/texts.js";
import { lateness, make, tick, ticketCard } from "./drawing.js";
import { Places } from "./places.js";
import { isWaiting } from "./steps.js";

// Least width of a ticket, in rem, by density.
const WIDTHS = { roomy: 23, normal: 17.5, dense: 14 };
const PHONE_PX = 640;
const GAP_PX = 10;
// So much of a line may be cut off before it counts as below.
const HIDDEN_PX = 8;
// What the arrows go through in a ticket: its rows, then the button for all of it.
const controlsOf = (card) => [...card.querySelectorAll("button.item, .fire, .time"), ...card.querySelectorAll(".whole")];

export class Board {
  #element;
  #more;
  #places = new Places();
  #tickets = [];
  #isSorted = false;
  #records = new Map();
  #arranged = [];
  #measuredFor = "";
  #page = 0;
  #last = null;

  constructor(element, more) {
    this.#element = element;
    this.#more = more;
    this.density = "normal";
    this.limits = { soon: Infinity, late: Infinity };
    this.ahead = 0;
    element.addEventListener("focusin", () => this.#remember());
    addEventListener("scroll", () => this.#showMore(), { passive: true });
  }

  get now() {
    return Date.now() + this.ahead;
  }

  get hasGaps() {
    return this.#places.hasGaps;
  }

  // Draws these tickets, which stay where they are unless they are sorted; what has not changed keeps its element, and
  // what had the focus has it afterwards.
  draw(tickets, isSorted = this.#isSorted) {
    const hadFocus = this.#element.contains(document.activeElement);
    this.#tickets = tickets;
    this.#isSorted = isSorted;
    this.#places.update(tickets.map((ticket) => ticket.key), isSorted);
    this.#render();
    if (hadFocus || document.activeElement === document.body) this.#restore();
  }

  // Other tickets come into view, so none of the old places matters.
  reset() {
    this.#places.clear();
    this.#page = 0;
    this.#last = null;
  }

  compact() {
    this.#places.compact();
    this.draw(this.#tickets);
  }

  turn(by) {
    this.#places.compact();
    this.#render();
    this.#page = this.#page + by;
    if (this.#page >= this.pages) this.#page = 0;
    if (this.#page < 0) this.#page = this.pages - 1;
    this.#render();
    this.#element.querySelector(".ticket")?.focus();
  }

  get pages() {
    return Math.max(0, ...this.#arranged.filter((place) => place.id !== null).map((place) => place.page)) + 1;
  }

  select(number) {
    this.#element.querySelector(`.ticket[data-slot="${number - 1}"]`)?.focus();
  }

  // Up and down within a ticket, sideways between tickets.
  step(key) {
    const cards = [...this.#element.querySelectorAll(".ticket")];
    const card = document.activeElement?.closest?.(".ticket");
    if (!card) return cards[0]?.focus();
    const controls = [card, ...controlsOf(card)];
    const at = Math.max(0, controls.indexOf(document.activeElement));
    if (key === "ArrowUp" || key === "ArrowDown") return controls[at + (key === "ArrowUp" ? -1 : 1)]?.focus();
    const isBackward = (key === "ArrowLeft") !== (document.documentElement.dir === "rtl");
    const next = cards[cards.indexOf(card) + (isBackward ? -1 : 1)];
    if (!next) return this.pages > 1 && this.turn(isBackward ? -1 : 1);
    const theirs = [next, ...controlsOf(next)];
    return theirs[Math.min(at, theirs.length - 1)].focus();
  }

  tick() {
    tick(this.#element, this.limits, this.now);
    this.#showMore();
  }

  get #isPhone() {
    return innerWidth < PHONE_PX;
  }

  get #rem() {
    return parseFloat(getComputedStyle(document.documentElement).fontSize);
  }

  #render() {
    this.#element.dataset.density = this.density;
    const records = new Map(this.#tickets.map((ticket) => [ticket.key, this.#record(ticket)]));
    for (const key of this.#records.keys()) if (!records.has(key)) this.#records.delete(key);
    this.#arranged = this.#isPhone ? this.#places.ids.map((id) => ({ id, page: 0 })) : this.#arrange();
    this.#page = Math.min(this.#page, this.pages - 1);
    const shown = this.#arranged.filter((place) => place.page === this.#page && !(this.#isPhone && place.id === null));
    this.#place(shown.map((place, slot) => this.#show(place, slot)));
    this.tick();
  }

  #arrange() {
    const { clientWidth: width, clientHeight: height } = this.#element;
    const columns = Math.max(1, Math.floor((width + GAP_PX) / (WIDTHS[this.density] * this.#rem + GAP_PX)));
    const column = Math.floor((width - GAP_PX * (columns - 1)) / columns);
    const measuredFor = [column, height, this.density, this.#rem].join();
    if (measuredFor !== this.#measuredFor) {
      for (const record of this.#records.values()) record.height = null;
      this.#places.compact();
      this.#measuredFor = measuredFor;
    }
    this.#element.style.setProperty("--column-width", `${column}px`);
    this.#element.style.setProperty("--column-step", `${column + GAP_PX}px`);
    this.#measure();
    return this.#places.arrange((id) => this.#records.get(id).height, { columns, height, gap: GAP_PX, isFilled: this.#isSorted });
  }

  // Copies are measured, since an element that is moved loses the focus.
  #measure() {
    const unknown = [...this.#records.values()].filter((record) => record.height === null);
    if (!unknown.length) return;
    const box = make("div", { class: "measure", "aria-hidden": "true" }, ...unknown.map(({ card }) => card.cloneNode(true)));
    this.#element.append(box);
    unknown.forEach((record, at) => (record.height = Math.ceil(box.children[at].getBoundingClientRect().height)));
    box.remove();
  }

  #record(ticket) {
    const signature = JSON.stringify([ticket, ticket.items.map((item) => isWaiting(item.id))]);
    const known = this.#records.get(ticket.key);
    if (known?.signature === signature) return known;
    const record = { card: ticketCard(ticket, isWaiting), signature, height: null, scrolled: known?.card.querySelector("ul").scrollTop ?? 0 };
    this.#records.set(ticket.key, record);
    return record;
  }

  #show({ id, column, top, room }, slot) {
    const card = id === null ? make("div", { class: "gap" }) : this.#records.get(id).card;
    card.style.setProperty("--column", column);
    card.style.setProperty("--top", `${top}px`);
    card.style.setProperty("--room", `${room}px`);
    return this.#number(card, slot);
  }

  #number(card, slot) {
    card.dataset.slot = slot;
    const key = card.querySelector("kbd");
    if (key) key.textContent = slot < 9 && !this.#isPhone ? slot + 1 : "";
    return card;
  }

  // Moving an element that has the focus would take the focus from it, so only what is new is put in.
  #place(cards) {
    const wanted = new Set(cards);
    for (const child of [...this.#element.children]) if (!wanted.has(child)) child.remove();
    cards.forEach((card, at) => {
      if (this.#element.children[at] !== card) this.#element.insertBefore(card, this.#element.children[at] ?? null);
    });
    for (const { card, scrolled } of this.#records.values()) if (scrolled && card.isConnected) card.querySelector("ul").scrollTop = scrolled;
  }

  #remember() {
    const focused = document.activeElement;
    const card = focused.closest(".ticket");
    if (!card) return;
    this.#last = { key: focused.dataset.key, order: card.dataset.order, slot: Number(card.dataset.slot), at: controlsOf(card).indexOf(focused) };
  }

  // What had the focus, else the item that took its place, else the ticket that comes next, else the one before.
  #restore() {
    if (!this.#last) return;
    const { key, order, slot, at } = this.#last;
    const same = this.#element.querySelector(`[data-key="${key}"]`);
    if (same) return same.focus({ preventScroll: true });
    const cards = [...this.#element.querySelectorAll(".ticket")];
    const card = cards.find((each) => each.dataset.order === order);
    if (card) {
      const items = card.querySelectorAll("button.item");
      return (items[Math.min(Math.max(at, 0), items.length - 1)] ?? card).focus({ preventScroll: true });
    }
    const next = cards.find((each) => Number(each.dataset.slot) >= slot) ?? cards.at(-1);
    if (next) return (at >= 0 ? (next.querySelector("button.item") ?? next) : next).focus({ preventScroll: true });
    return this.#element.focus({ preventScroll: true });
  }

  #showMore() {
    for (const card of this.#element.querySelectorAll(".ticket")) {
      const list = card.querySelector("ul");
      const below = [...list.children].filter((row) => row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight + HIDDEN_PX).length;
      const more = card.querySelector("[data-more]");
      more.hidden = !below;
      if (below) more.textContent = ngettext("%(num)s more line below", "%(num)s more lines below", below);
    }
    const after = this.#isPhone ? this.#belowScreen() : this.#afterPage();
    const late = after.filter((ticket) => lateness((this.now - Date.parse(ticket.since)) / 1000, this.limits) === "late").length;
    this.#more.hidden = !after.length && this.pages < 2;
    const parts = [
      after.length ? ngettext("%(num)s more", "%(num)s more", after.length) : _("Last page"),
      late && ngettext("%(num)s late", "%(num)s late", late),
    ];
    const text = parts.filter(Boolean).join(" · ");
    const label = this.#more.querySelector("[data-more-count]");
    if (label.textContent !== text) label.textContent = text;
    this.#more.classList.toggle("late", late > 0);
    this.#more.querySelector("[data-page-number]").textContent = this.#isPhone ? "" : _("Page %(page)s of %(pages)s", { page: this.#page + 1, pages: this.pages });
  }

  #afterPage() {
    const after = new Set(this.#arranged.filter((place) => place.page > this.#page).map((place) => place.id));
    return this.#tickets.filter((ticket) => after.has(ticket.key));
  }

  #belowScreen() {
    const below = [...this.#element.querySelectorAll(".ticket")].filter((card) => card.getBoundingClientRect().top > innerHeight);
    const keys = new Set(below.map((card) => card.dataset.order));
    return this.#tickets.filter((ticket) => keys.has(ticket.key));
  }
}
