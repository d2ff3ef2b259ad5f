// The note, the course and the seat of a line, in the dialogs of lines that were sent and of those that were not.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";

const dialog = document.querySelector("[data-line-dialog]");

export const field = (id, label, attributes = {}) => make("div", { class: "field" }, make("label", { for: id }, label), make("input", { id, name: id, autocomplete: "off", ...attributes }));

export function lineFields(line) {
  const number = (id, label, value, max) => field(id, label, { type: "number", min: 1, max, inputmode: "numeric", value: value ?? "" });
  return [
    field("line-text", _("Note"), { maxlength: 500, dir: "auto", value: line.note ?? "" }),
    make("div", { class: "split" }, number("line-course", _("Course number"), line.course, 99), number("line-seat", _("Seat number"), line.seat, 99)),
  ];
}

export function readLineFields(form) {
  const value = (id) => form.querySelector(`#${id}`).value.trim();
  return { note: value("line-text") || null, course: Number(value("line-course")) || null, seat: Number(value("line-seat")) || null };
}

export function openLineDialog(title, ...content) {
  const form = make("form", { novalidate: true }, make("h2", { id: "line-title", dir: "auto" }, title), ...content);
  form.addEventListener("submit", (event) => event.preventDefault());
  dialog.replaceChildren(form);
  dialog.showModal();
  return { form, close: () => dialog.close(), closed: new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true })) };
}

// Asks how a line that was not sent yet should be; resolves to its changes, or to null.
export async function editLine(line) {
  let changes = null;
  const done = (found) => { changes = found; dialog.close(); };
  const { form, closed } = openLineDialog(line.name,
    field("line-quantity", _("Quantity"), { type: "number", min: 1, max: 999, inputmode: "numeric", value: line.quantity }),
    lineFields(line),
    make("div", { class: "row" },
      make("button", { type: "button", class: "plain", onclick: () => done({ quantity: 0 }) }, _("Take off")),
      make("button", { type: "submit" }, _("Save"))),
    make("button", { type: "button", class: "link", onclick: () => dialog.close() }, _("Cancel")));
  form.addEventListener("submit", () => done({ ...readLineFields(form), quantity: Math.max(0, Math.floor(Number(form.querySelector("#line-quantity").value)) || 1) }));
  await closed;
  return changes;
}
