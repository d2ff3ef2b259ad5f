// The cash drawer: opened with a float, cash put in and taken out, and counted at the end.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { sendOnce, SentBefore } from "./requests.js";
import { clock, money, parseAmount, session } from "./session.js";

const place = document.querySelector("[data-drawer]");
const KINDS = { paid_in: _("Cash in"), paid_out: _("Cash out"), no_sale: _("No sale") };
const SHIFTS = "/api/v1/staff/shifts";

export async function showDrawer() {
  const open = (await session.call("GET", `${SHIFTS}?status=open`)).data;
  const shifts = await Promise.all(open.map((shift) => session.call("GET", `${SHIFTS}/${shift.id}`)));
  place.replaceChildren(...shifts.map(shiftCard), openForm(shifts.length));
}

function field(id, label, attributes = {}) {
  return make("div", { class: "field" }, make("label", { for: id }, label), make("input", { id, name: id, autocomplete: "off", ...attributes }));
}

// A form that sends once, says what was wrong, and shows the drawers again.
function formOf(name, title, button, fields, toRequest) {
  const form = make("form", { class: "card", novalidate: true }, make("h2", {}, title), fields, make("p", { class: "problem", role: "alert" }), make("button", { type: "submit" }, button));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const problem = form.querySelector(".problem");
    const request = toRequest(form);
    problem.textContent = request ? "" : _("Enter an amount, such as 12.50.");
    if (!request) return;
    try {
      const answer = await sendOnce(name, request.path, request.body);
      if (!answer) return;
      await showDrawer();
      if (request.done) place.prepend(make("p", { class: "card", role: "status", tabindex: -1 }, request.done(answer)));
      (place.querySelector("[role=status]") ?? place.querySelector("input"))?.focus();
    } catch (error) {
      problem.textContent = error.message;
      if (!(error instanceof SentBefore)) return;
      await showDrawer();
      place.prepend(make("p", { class: "card", role: "status" }, error.message));
    }
  });
  return form;
}

function openForm(count) {
  return formOf("shift", count ? _("Open another drawer") : _("Open the drawer"), _("Open"),
    [field("drawer", _("Name"), { value: session.kept.drawer ?? _("Till 1"), maxlength: 50 }), field("float", _("Starting cash"), { inputmode: "decimal" })],
    (form) => {
      const float = parseAmount(form.float.value);
      session.keep({ drawer: form.drawer.value.trim() });
      return float === null ? null : { path: SHIFTS, body: { drawer: form.drawer.value.trim(), opening_float: float } };
    });
}

function shiftCard(shift) {
  return make("section", { class: "shift", "aria-label": shift.drawer },
    make("div", { class: "card" }, make("h2", { dir: "auto" }, shift.drawer),
      make("dl", { class: "amounts" },
        make("dt", {}, _("Open since")), make("dd", {}, clock(shift.opened_at)),
        make("dt", {}, _("Starting cash")), make("dd", {}, money(shift.opening_float)),
        make("dt", { class: "total" }, _("Expected in the drawer")), make("dd", { class: "total" }, money(shift.expected)))),
    movementForm(shift), closeForm(shift));
}

function movementForm(shift) {
  const kinds = make("fieldset", { class: "tenders" }, make("legend", { class: "unseen" }, _("What happened")), Object.entries(KINDS).map(([kind, label], position) =>
    make("label", { class: "chip" }, make("input", { type: "radio", name: "kind", value: kind, checked: position === 0 }), label)));
  return formOf(`movement:${shift.id}`, _("Cash in and out"), _("Record"),
    [kinds, field(`amount-${shift.id}`, _("Amount"), { inputmode: "decimal" }), field(`note-${shift.id}`, _("Note"), { maxlength: 500 })],
    (form) => {
      const kind = form.kind.value;
      const amount = kind === "no_sale" ? undefined : parseAmount(form[`amount-${shift.id}`].value);
      return amount === null ? null : { path: `${SHIFTS}/${shift.id}/movements`, body: { kind, amount, note: form[`note-${shift.id}`].value.trim() || undefined } };
    });
}

function closeForm(shift) {
  return formOf(`close:${shift.id}`, _("Count and close"), _("Close the drawer"), [field(`counted-${shift.id}`, _("Cash counted"), { inputmode: "decimal" })],
    (form) => {
      const counted = parseAmount(form[`counted-${shift.id}`].value);
      return counted === null ? null : {
        path: `${SHIFTS}/${shift.id}/close`, body: { counted },
        done: (closed) => _("%(drawer)s is closed. Expected %(expected)s, counted %(counted)s, difference %(difference)s.", {
          drawer: closed.drawer, expected: money(closed.expected), counted: money(closed.counted), difference: money(closed.difference) }),
      };
    });
}
