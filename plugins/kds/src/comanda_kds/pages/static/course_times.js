// When a course is fired: in some minutes, at a time of day, or by hand.
import { gettext as _ } from "/own/texts.js";

export class CourseTimes {
  #dialog;
  #set;
  #now;
  #subject = null;

  // `set` is called with a ticket, a course and when it is fired, null if that is by hand; `now` says what time it is.
  constructor(dialog, set, now) {
    this.#dialog = dialog;
    this.#set = set;
    this.#now = now;
    dialog.addEventListener("click", (event) => this.#press(event.target));
    dialog.querySelector("form").addEventListener("submit", (event) => this.#submit(event));
  }

  open(ticket, course, fireAt) {
    this.#subject = { ticket, course };
    this.#dialog.querySelector("h2").textContent = _("Time of course %(number)s, order %(order)s", { number: course, order: ticket.number });
    this.#dialog.querySelector("input").value = fireAt ? new Date(fireAt).toTimeString().slice(0, 5) : "";
    this.#dialog.querySelector("[data-hold]").hidden = !fireAt;
    this.#dialog.showModal();
  }

  #press(target) {
    const button = target.closest("[data-minutes], [data-hold]");
    if (!button) return;
    this.#close("minutes" in button.dataset ? new Date(this.#now() + Number(button.dataset.minutes) * 60_000) : null);
  }

  // A time that is past today is one of tomorrow.
  #submit(event) {
    event.preventDefault();
    const [hours, minutes] = this.#dialog.querySelector("input").value.split(":").map(Number);
    const at = new Date(this.#now());
    at.setHours(hours, minutes, 0, 0);
    if (at < this.#now()) at.setDate(at.getDate() + 1);
    this.#close(at);
  }

  #close(at) {
    this.#dialog.close();
    this.#set(this.#subject.ticket, this.#subject.course, at?.toISOString() ?? null);
  }
}
