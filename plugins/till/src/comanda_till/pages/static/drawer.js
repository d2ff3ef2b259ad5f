// The cash drawer: opened with a float, cash put in and taken out, and counted at the end.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { field, openLineDialog } from "./line_options.js";
import { sendOnce, SentBefore } from "./requests.js";
import { clock, money, parseAmount, session } from "./session.js";

const place = document.querySelector("[data-drawer]");
const KINDS = { paid_in: _("Cash in"), paid_out: _("Cash out"), no_sale: _("No sale") };
const SHIFTS = "/api/v1/staff/shifts";

let isKnownOpen = false;

// Before cash is taken: asks for a drawer if none is open. Returns whether to go on.
export async function requireDrawer() {
  if (isKnownOpen || session.isLost) return true;
  const { data } = await session.call("GET", `${SHIFTS}?status=open`);
  isKnownOpen = data.length > 0;
  return isKnownOpen || askToOpen();
}

async function askToOpen() {
  let goesOn = false;
  const problem = make("p", { class: "problem", role: "alert" });
  const { form, close, closed } = openLineDialog(_("No drawer is open"),
    make("p", {}, _("Open one, so that its cash can be counted in the end.")), drawerFields(), problem,
    make("div", { class: "row" }, make("button", { type: "button", class: "plain", onclick: () => { goesOn = true; close(); } }, _("Without a drawer")), make("button", { type: "submit" }, _("Open the drawer"))),
    make("button", { type: "button", class: "link", onclick: () => close() }, _("Cancel")));
  form.float.focus();
  form.addEventListener("submit", async () => {
    const request = toShift(form);
    problem.textContent = request ? "" : _("Enter an amount, such as 12.50.");
    if (!request) return;
    try {
      await sendOnce("shift", request.path, request.body);
      isKnownOpen = goesOn = true;
      close();
    } catch (error) {
      problem.textContent = error.message;
    }
  });
  await closed;
  return goesOn;
}

export async function showDrawer() {
  isKnownOpen = false;
  const open = (await session.call("GET", `${SHIFTS}?status=open`)).data;
  const shifts = await Promise.all(open.map((shift) => session.call("GET", `${SHIFTS}/${shift.id}`)));
  const drawn = shifts.map((shift) => shift.id).join();
  if (place.dataset.shifts === drawn) {
    // The forms stay, with what is being typed and what was wrong.
    for (const shift of shifts) place.querySelector(`[data-amounts="${shift.id}"]`).replaceChildren(...amountsOf(shift));
    return;
  }
  place.dataset.shifts = drawn;
  place.replaceChildren(...shifts.map(shiftCard), openForm(shifts.length));
}

// A form that sends once, says what was wrong, and shows the drawers again.
function formOf(name, title, button, fields, toRequest) {
  const form = make("form", { class: "card", novalidate: true }, make("h2", {}, title), fields, make("p", { class: "problem", role: "alert" }), make("button", { type: "submit" }, button));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    place.querySelector(":scope > [role=status]")?.remove();
    const problem = form.querySelector(".problem");
    const request = toRequest(form);
    problem.textContent = request ? "" : _("Enter an amount, such as 12.50.");
    if (!request) return;
    try {
      const answer = await sendOnce(name, request.path, request.body);
      if (!answer) return;
      form.reset();
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

const drawerFields = () => [field("drawer", _("Name"), { value: session.kept.drawer ?? _("Till 1"), maxlength: 50 }), field("float", _("Starting cash"), { inputmode: "decimal" })];

function toShift(form) {
  const float = parseAmount(form.float.value);
  session.keep({ drawer: form.drawer.value.trim() });
  return float === null ? null : { path: SHIFTS, body: { drawer: form.drawer.value.trim(), opening_float: float } };
}

const openForm = (count) => formOf("shift", count ? _("Open another drawer") : _("Open the drawer"), _("Open"), drawerFields(), toShift);

function shiftCard(shift) {
  return make("section", { class: "shift", "aria-label": shift.drawer },
    make("div", { class: "card" }, make("h2", { dir: "auto" }, shift.drawer),
      make("dl", { class: "amounts", "data-amounts": shift.id }, amountsOf(shift))),
    movementForm(shift), closeForm(shift));
}

const amountsOf = (shift) => [
  make("dt", {}, _("Open since")), make("dd", {}, clock(shift.opened_at)),
  make("dt", {}, _("Starting cash")), make("dd", {}, money(shift.opening_float)),
  make("dt", { class: "total" }, _("Expected in the drawer")), make("dd", { class: "total" }, money(shift.expected)),
];

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
