// The places of tickets on the board. A ticket keeps its place; one that is gone leaves a gap, and new ones come after
// all others, so that nothing moves under a finger.
export class Places {
  #slots = [];

  // Takes the ids of the tickets that are on the board now; one that is back gets its gap again.
  update(ids) {
    const there = new Set(ids);
    for (const slot of this.#slots) slot.isGone = !there.has(slot.id);
    if (this.#slots.every((slot) => slot.isGone)) this.#slots = [];
    const placed = new Set(this.#slots.map((slot) => slot.id));
    for (const id of ids) if (!placed.has(id)) this.#slots.push({ id, isGone: false });
  }

  // The ids in their places; null is a gap.
  get ids() {
    return this.#slots.map((slot) => (slot.isGone ? null : slot.id));
  }

  get hasGaps() {
    return this.#slots.some((slot) => slot.isGone);
  }

  compact() {
    this.#slots = this.#slots.filter((slot) => !slot.isGone);
  }

  clear() {
    this.#slots = [];
  }
}
