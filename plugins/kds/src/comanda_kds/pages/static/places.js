// The places of tickets on the board. Each takes the height that it needs, and they flow in columns, page by page. A
// ticket keeps its place and its room; one that is gone leaves a gap, and new ones come after all others, so that nothing
// moves under a finger.
export class Places {
  #slots = [];

  // Takes the ids of the tickets that are on the board now; one that is back gets its gap again. If they are sorted,
  // a change of their order moves them, and closes the gaps.
  update(ids, isSorted = false) {
    const there = new Set(ids);
    for (const slot of this.#slots) slot.isGone = !there.has(slot.id);
    if (this.#slots.every((slot) => slot.isGone)) this.#slots = [];
    const placed = new Set(this.#slots.map((slot) => slot.id));
    for (const id of ids) if (!placed.has(id)) this.#slots.push({ id, isGone: false, needed: 0, room: 0 });
    const shown = this.#slots.filter((slot) => !slot.isGone);
    if (!isSorted || shown.every((slot, at) => slot.id === ids[at])) return;
    this.#slots = shown.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
  }

  // Returns the place of each ticket, and of each gap with the id null; `heightOf` tells what a ticket needs. They stand
  // in their order, unless columns are filled: then each stands in the first that has room for it.
  arrange(heightOf, { columns, height, gap, isFilled = false }) {
    const tops = [];
    return this.#slots.map((slot) => {
      if (!slot.isGone) slot.needed = Math.min(heightOf(slot.id), height);
      slot.room = Math.max(slot.room, slot.needed);
      const first = isFilled ? 0 : tops.length - 1;
      let at = tops.findIndex((top, column) => column >= first && top + slot.room <= height);
      if (at < 0) at = tops.push(0) - 1;
      const place = { id: slot.isGone ? null : slot.id, page: Math.floor(at / columns), column: at % columns, top: tops[at], room: slot.room };
      tops[at] += slot.room + gap;
      return place;
    });
  }

  // The ids in their places; null is a gap.
  get ids() {
    return this.#slots.map((slot) => (slot.isGone ? null : slot.id));
  }

  get hasGaps() {
    return this.#slots.some((slot) => slot.isGone || slot.needed < slot.room);
  }

  compact() {
    this.#slots = this.#slots.filter((slot) => !slot.isGone);
    for (const slot of this.#slots) slot.room = 0;
  }

  clear() {
    this.#slots = [];
  }
}
