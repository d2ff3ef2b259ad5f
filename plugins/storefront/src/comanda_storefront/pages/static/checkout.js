// The drawer with the cart, the server's quote, and the order form.
import { gettext as _, locale, pgettext } from "/own/texts.js";
import * as cart from "./cart.js";
import { fieldsOf, modeChoice, problemFor, table, valueOf } from "./fields.js";
import { choicesOf, items, make, money, problemOf, shop, unitPrice } from "./menu.js";

const dialog = document.getElementById("order");
const form = dialog.querySelector("form");
const part = (name) => form.querySelector(`[data-${name}]`);
const submit = form.querySelector('[type="submit"]');
const SAID_AT_ONCE = new Set(["type", "coupon_code"]);
const CONTACT = ["customer_name", "phone", "note", "coupon_code"];
let quoted = null;
let asked = 0;
let waiting = 0;
// The fields with errors after a refused order: each error is shown until the field is corrected.
let refused = new Set();

export function open() {
  show();
  dialog.showModal();
  ask();
}

const isSaid = (name) => name.startsWith("items.") || SAID_AT_ONCE.has(name) || refused.has(name);
const mode = () => shop.modes.find((each) => each.code === form.elements.type?.value) ?? shop.modes[0];

function showModes() {
  const first = shop.modes.find((each) => table && each.code === "on-table") ?? shop.modes[0];
  part("modes").append(...shop.modes.map((each) => modeChoice(each, each === first)), problemFor("type"));
  part("modes").hidden = shop.modes.length < 2;
  part("coupon").hidden = !shop.coupons;
  for (const name of CONTACT) form.elements[name].parentElement.append(problemFor(name));
  showFields();
}

function showFields() {
  part("fields").replaceChildren(...(mode() ? fieldsOf(mode()) : []));
}

function show() {
  const lines = cart.lines();
  part("empty").hidden = lines.length > 0;
  part("checkout").hidden = !lines.length || !shop.modes.length;
  const focused = part("lines").contains(document.activeElement) ? document.activeElement.dataset.step : null;
  part("lines").replaceChildren(...lines.map(lineOf));
  // Keyboard focus stays on the button although the list is rendered again.
  if (focused) (form.querySelector(`[data-step="${focused}"]`) ?? dialog.querySelector("[data-close]")).focus();
  showAmounts();
}

function lineOf(line, position) {
  const name = items.get(line.item)?.name ?? _("Something");
  const step = (by, label) => make("button", {
    type: "button", class: "plain compact", "data-step": `${position}:${by}`, "aria-label": label,
    onclick: () => cart.setQuantity(position, line.quantity + by),
  }, by < 0 ? "−" : "+");
  const details = [choicesOf(line), line.note ? `“${line.note}”` : ""].filter(Boolean).join(" · ");
  return make("li", {},
    make("p", { class: "row" }, make("b", {}, name), make("span", { class: "price" }, money(unitPrice(line) * line.quantity))),
    details ? make("p", { class: "quiet" }, details) : null,
    make("div", { class: "row" },
      make("div", { class: "stepper" }, step(-1, _("One less %(item)s", { item: name })), make("output", {}, String(line.quantity)), step(1, _("One more %(item)s", { item: name }))),
      make("button", { type: "button", class: "link", "aria-label": _("Remove %(item)s", { item: name }), onclick: () => cart.setQuantity(position, 0) }, _("Remove"))),
    make("p", { class: "problem", role: "alert", "data-line": position }, problemOf(line)));
}

function showAmounts() {
  const rows = quoted ? quoted.amounts.map((each) => [each.label, each.text]) : [];
  rows.push([quoted ? _("Total") : _("Subtotal"), quoted ? quoted.total_text : money(cart.subtotal())]);
  part("amounts").replaceChildren(...rows.flatMap(([label, text], position) => {
    const last = position === rows.length - 1 ? { class: "total" } : {};
    return [make("dt", last, label), make("dd", last, text)];
  }));
  const verb = pgettext("verb", "Order");
  submit.textContent = quoted ? `${verb} · ${quoted.total_text}` : verb;
}

function body() {
  const found = { type: mode()?.code, items: cart.lines().map(({ item, variation, extras, quantity, note }) =>
    ({ item_id: item, variation: variation ?? undefined, extras, quantity, note: note || undefined })) };
  for (const name of CONTACT) found[name] = form.elements[name].value.trim() || undefined;
  for (const control of part("fields").querySelectorAll("[name]")) {
    found[control.name] = valueOf(control);
  }
  return found;
}

async function send(path, document) {
  const answer = await fetch(`/s/${shop.slug}/${path}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(document),
  });
  return { status: answer.status, document: await answer.json(), isMismatch: answer.headers.has("Idempotency-Mismatch") };
}

// Requests a quote shortly after the last change, and ignores outdated responses. `note` is the reason for the request.
function ask(note = "") {
  clearTimeout(waiting);
  quoted = null;
  showAmounts();
  if (!dialog.open || !cart.lines().length) return;
  waiting = setTimeout(async () => {
    const number = ++asked;
    try {
      const { status, document } = await send("quote", body());
      if (number !== asked) return;
      quoted = status === 200 ? document : null;
      // Missing fields are not errors yet; unavailable items and times are shown at once.
      const isClosed = document.reason === "store_closed";
      tell(status === 422 ? document.errors : {}, (name) => !(isClosed && name === "type") && isSaid(name));
      if (isClosed) part("problem").textContent = closed(document);
      else if (note) part("problem").textContent = note;
    } catch {
      quoted = null;
    }
    showAmounts();
  }, 250);
}

function closed(document) {
  const opens = document.next_open_at && new Intl.DateTimeFormat(locale,
    { timeZone: shop.zone, weekday: "long", hour: "2-digit", minute: "2-digit", hour12: false }).format(new Date(document.next_open_at));
  return opens ? _("The store is closed now. It opens %(time)s.", { time: opens }) : _("The store is closed now.");
}

// Shows each message at its field, and all others below the total.
function tell(errors, isShown = () => true) {
  form.querySelectorAll(".problem").forEach((place) => { place.textContent = ""; });
  form.querySelectorAll("[aria-invalid]").forEach((control) => control.removeAttribute("aria-invalid"));
  cart.lines().forEach((line, position) => { form.querySelector(`[data-line="${position}"]`).textContent = problemOf(line); });
  const rest = [];
  for (const [name, sentences] of Object.entries(errors).filter(([each]) => isShown(each))) {
    const position = name.match(/^items\.(\d+)/)?.[1];
    const place = form.querySelector(position ? `[data-line="${position}"]` : `[data-problem-of="${CSS.escape(name)}"]`);
    if (!place || place.closest("[hidden]")) rest.push(...sentences);
    else place.textContent = sentences.join(" ");
    if (!position) form.elements[name]?.setAttribute?.("aria-invalid", "true");
  }
  part("problem").textContent = rest.join(" ");
}

async function order() {
  const { status, document, isMismatch } = await send("orders", { ...body(), client_uuid: cart.key(), expected_total: quoted?.total });
  if (status === 201 && isMismatch) {
    // A response was lost and the cart has changed since: the first order was placed, and this is another one.
    cart.renewKey();
    part("problem").replaceChildren(_("Your earlier order was placed:"), " ", make("a", { href: `/t/${document.track_token}` }, _("Order %(number)s", { number: document.number })),
      " ", _("Order again if you want this too."));
  } else if (status === 201) {
    cart.empty();
    location.assign(`/t/${document.track_token}`);
  } else if (status === 422) {
    refused = new Set(Object.keys(document.errors));
    const isClosed = document.reason === "store_closed";
    tell(document.errors, (name) => !(isClosed && name === "type"));
    if (isClosed) part("problem").textContent = closed(document);
    form.querySelector("[aria-invalid]")?.focus();
  } else {
    tell({ "": [document.message] });
    if (document.reason === "price_changed") ask(document.message);
  }
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (submit.disabled) return;
  submit.disabled = true;
  // A pending quote is superseded by the response to the order.
  clearTimeout(waiting);
  asked += 1;
  try {
    await order();
  } catch {
    tell({ "": [_("The order could not be sent. Check the connection and try again: it will not be placed twice.")] });
  } finally {
    submit.disabled = false;
  }
});
form.addEventListener("change", (event) => {
  if (event.target.name === "type") showFields();
  ask();
});
dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
cart.onChange(() => {
  show();
  ask();
});
showModes();
