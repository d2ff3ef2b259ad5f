// The board: pages of tickets in places that they keep, and the focus, which is never lost.
import { gettext as _, ngettext } from "/own/texts.js";
import { lateness, tick, ticketCard } from "./drawing.js";
import { Places } from "./places.js";
import { isWaiting } from "./steps.js";

// Least width and height of a ticket, in rem, by density.
const SIZES = { roomy: [24, 28], normal: [18.5, 18.5], dense: [14.5, 13.5] };
const PHONE_PX = 640;
// So much of a line may be cut off before it counts as below.
const HIDDEN_PX = 8;
const CONTROLS = ".item, .whole";

export class Board {
  #element;
  #more;
  #places = new Places();
  #tickets = [];
  #cards = new Map();
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

  // Draws these tickets; what has not changed keeps its element, and what had the focus has it afterwards.
  draw(tickets) {
    const hadFocus = this.#element.contains(document.activeElement);
    this.#tickets = tickets;
    this.#places.update(tickets.map((ticket) => ticket.order_id));
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
    this.#page = this.#page + by;
    if (this.#page >= this.pages) this.#page = 0;
    if (this.#page < 0) this.#page = this.pages - 1;
    this.#render();
    this.#element.querySelector(".ticket")?.focus();
  }

  get pages() {
    return Math.max(1, Math.ceil(this.#places.ids.length / this.#capacity));
  }

  select(number) {
    this.#element.querySelector(`.ticket[data-slot="${number - 1}"]`)?.focus();
  }

  // Up and down within a ticket, sideways between tickets.
  step(key) {
    const cards = [...this.#element.querySelectorAll(".ticket")];
    const card = document.activeElement?.closest?.(".ticket");
    if (!card) return cards[0]?.focus();
    const controls = [card, ...card.querySelectorAll(CONTROLS)];
    const at = Math.max(0, controls.indexOf(document.activeElement));
    if (key === "ArrowUp" || key === "ArrowDown") return controls[at + (key === "ArrowUp" ? -1 : 1)]?.focus();
    const isBackward = (key === "ArrowLeft") !== (document.documentElement.dir === "rtl");
    const next = cards[cards.indexOf(card) + (isBackward ? -1 : 1)];
    if (!next) return this.pages > 1 && this.turn(isBackward ? -1 : 1);
    const theirs = [next, ...next.querySelectorAll(CONTROLS)];
    return theirs[Math.min(at, theirs.length - 1)].focus();
  }

  tick() {
    tick(this.#element, this.limits, this.now);
    this.#showMore();
  }

  get #isPhone() {
    return innerWidth < PHONE_PX;
  }

  get #capacity() {
    return this.#isPhone ? Infinity : this.#columns * this.#rows;
  }

  get #rem() {
    return parseFloat(getComputedStyle(document.documentElement).fontSize);
  }

  get #columns() {
    const width = this.#element.clientWidth || innerWidth;
    return Math.max(1, Math.floor(width / (SIZES[this.density][0] * this.#rem)));
  }

  get #rows() {
    return Math.max(1, Math.floor(this.#element.clientHeight / (SIZES[this.density][1] * this.#rem)));
  }

  #render() {
    const capacity = this.#capacity;
    this.#page = Math.min(this.#page, this.pages - 1);
    const from = this.#isPhone ? 0 : this.#page * capacity;
    const ids = this.#places.ids.slice(from, this.#isPhone ? undefined : from + capacity);
    this.#element.dataset.columns = this.#isPhone ? 1 : Math.min(this.#columns, 8);
    this.#element.dataset.rows = this.#isPhone ? 0 : Math.min(this.#rows, 4);
    const byId = new Map(this.#tickets.map((ticket) => [ticket.order_id, ticket]));
    const shown = ids.map((id, slot) => this.#show(id === null ? null : byId.get(id), slot));
    this.#place(this.#isPhone ? shown.filter((card) => !card.matches(".gap")) : shown);
    for (const id of this.#cards.keys()) if (!byId.has(id)) this.#cards.delete(id);
    this.tick();
  }

  #show(ticket, slot) {
    if (!ticket) {
      const gap = document.createElement("div");
      gap.className = "gap";
      return gap;
    }
    const key = slot < 9 && !this.#isPhone ? String(slot + 1) : "";
    const signature = JSON.stringify([ticket, key, ticket.items.map((item) => isWaiting(item.id))]);
    const known = this.#cards.get(ticket.order_id);
    if (known?.signature === signature) return this.#number(known.card, slot);
    const card = ticketCard(ticket, key, isWaiting);
    const list = known?.card.querySelector("ul");
    this.#cards.set(ticket.order_id, { card, signature, scrolled: list?.scrollTop ?? 0 });
    return this.#number(card, slot);
  }

  #number(card, slot) {
    card.dataset.slot = slot;
    return card;
  }

  // Moving an element that has the focus would take the focus from it, so only what is new is put in.
  #place(cards) {
    const wanted = new Set(cards);
    for (const child of [...this.#element.children]) if (!wanted.has(child)) child.remove();
    cards.forEach((card, at) => {
      if (this.#element.children[at] !== card) this.#element.insertBefore(card, this.#element.children[at] ?? null);
    });
    for (const { card, scrolled } of this.#cards.values()) if (scrolled && card.isConnected) card.querySelector("ul").scrollTop = scrolled;
  }

  #remember() {
    const focused = document.activeElement;
    const card = focused.closest(".ticket");
    if (!card) return;
    const controls = [...card.querySelectorAll(CONTROLS)];
    this.#last = { key: focused.dataset.key, order: Number(card.dataset.order), slot: Number(card.dataset.slot), at: controls.indexOf(focused) };
  }

  // What had the focus, else the item that took its place, else the ticket that comes next, else the one before.
  #restore() {
    if (!this.#last) return;
    const { key, order, slot, at } = this.#last;
    const same = this.#element.querySelector(`[data-key="${key}"]`);
    if (same) return same.focus({ preventScroll: true });
    const cards = [...this.#element.querySelectorAll(".ticket")];
    const card = cards.find((each) => Number(each.dataset.order) === order);
    if (card) {
      const items = card.querySelectorAll(".item");
      return (items[Math.min(Math.max(at, 0), items.length - 1)] ?? card).focus({ preventScroll: true });
    }
    const next = cards.find((each) => Number(each.dataset.slot) >= slot) ?? cards.at(-1);
    if (next) return (at >= 0 ? (next.querySelector(".item") ?? next) : next).focus({ preventScroll: true });
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
    const byId = new Map(this.#tickets.map((ticket) => [ticket.order_id, ticket]));
    return this.#places.ids.slice((this.#page + 1) * this.#capacity).filter((id) => id !== null).map((id) => byId.get(id));
  }

  #belowScreen() {
    const below = [...this.#element.querySelectorAll(".ticket")].filter((card) => card.getBoundingClientRect().top > innerHeight);
    const ids = new Set(below.map((card) => Number(card.dataset.order)));
    return this.#tickets.filter((ticket) => ids.has(ticket.order_id));
  }
}
