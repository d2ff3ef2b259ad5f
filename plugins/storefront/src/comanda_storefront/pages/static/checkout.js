// The drawer of the order: the cart, the server's quote, and the form.
import { dayLocale, gettext as _, pgettext } from "/own/texts.js";
import { isFilled } from "./addresses.js";
import * as cart from "./cart.js";
import { forgetRemoved, goneLines, removeGone, showLines } from "./cart_lines.js";
import { closeButton, make } from "./dom.js";
import { mode, onModeChange } from "./fulfillment.js";
import { money, shop } from "./menu.js";
import { hide, register, show } from "./overlays.js";
import { ask, body, isPending, onAsk, onQuote, quoted, send, settle, useFields } from "./quote.js";
import { placed, renderAll, values } from "./sections.js";
import { addRound, chosenCheck, onCheckChange } from "./table_checks.js";
import { canOrderForLater, orderForLater } from "./times.js";

const dialog = document.getElementById("order");
const form = dialog.querySelector("form");
const part = (name) => form.querySelector(`[data-${name}]`);
const submit = form.querySelector('[type="submit"]');
const CLOSED_REASONS = new Set(["store_closed", "store_paused"]);
// Shown as soon as the quote knows of them; what is only missing is no mistake until the guest orders.
const SAID_AT_ONCE = new Set(["type", "scheduled_for", "tip_amount", "items"]);
// The fields with errors after a refused order: each error is shown until the field is corrected.
let refused = new Set();
// Why the quote was asked for again, such as a price that has changed.
let note = "";
let isSending = false;

export const openOrder = () => show("order");

function showCart() {
  const isFilled = cart.lines().length > 0;
  part("empty").hidden = isFilled;
  part("checkout").hidden = !isFilled || !shop.modes.length;
  showLines();
  showAmounts();
}

function showAmounts() {
  const document = quoted();
  const rows = document ? document.amounts.map((each) => [each.label, each.text]) : [];
  rows.push([document ? _("Total") : _("Subtotal"), document ? document.total_text : money(cart.subtotal())]);
  part("amounts").replaceChildren(...rows.flatMap(([label, text], position) => {
    const last = position === rows.length - 1 ? { class: "total" } : {};
    return [make("dt", last, label), make("dd", last, text)];
  }));
  part("amounts").setAttribute("aria-busy", isPending());
  const verb = pgettext("verb", "Order");
  submit.replaceChildren(...(document ? [`${verb} · `, make("span", {}, document.total_text)] : [verb]));
}

function showPayment() {
  part("payment").textContent = quoted()?.pays_first ? quoted().pays_online ? _("You pay online after ordering. The store makes your order once it is paid.")
    : _("This order has to be paid online, which is not possible at the moment. Call the store.")
    : quoted()?.pays_online ? _("You can pay online after ordering, or at the store.")
    : mode()?.delivery ? _("You pay when your order arrives.")
      : mode()?.code === "room_service" ? _("It is put on the bill of your room.") : _("You pay at the store.");
}

// Shows what the quote says: errors of fields at them, and everything that keeps the order from being placed at its button.
function showProblems() {
  const document = quoted();
  const isClosed = CLOSED_REASONS.has(document?.reason);
  tell(document?.problems ?? {}, (name) => !(isClosed && name === "type") && (SAID_AT_ONCE.has(name) || refused.has(name) || (name === "address" && isFilled())));
  const gone = goneLines();
  if (isClosed) explain(closedText(document), canOrderForLater() ? [_("Order for later"), later] : null);
  else if (gone.length) explain(_("Some of your order is no longer available."), [_("Remove and go on"), removeAll]);
  else if (note) explain(note);
  note = "";
}

function later() {
  orderForLater();
  form.querySelector('[name="day"]:checked, [name="when"]:checked')?.focus();
  ask();
}

function removeAll() {
  removeGone();
  (cart.lines().length ? submit : dialog.querySelector("[data-close]")).focus();
}

function closedText(document) {
  const format = { timeZone: shop.zone, weekday: "long", hour: "2-digit", minute: "2-digit", hour12: false };
  const time = document.next_open_at && new Intl.DateTimeFormat(dayLocale, format).format(new Date(document.next_open_at));
  if (document.reason === "store_paused") return time ? _("The store takes no orders until %(time)s.", { time }) : _("The store takes no orders at the moment.");
  return time ? _("The store is closed now. It opens %(time)s.", { time }) : _("The store is closed now.");
}

// Says above the button why the order cannot be placed as it is, with one tap to go on.
function explain(text, action = null) {
  const button = action && make("button", { type: "button", class: "plain compact", onclick: action[1] }, action[0]);
  part("problem").replaceChildren(make("span", {}, text), ...(button ? [button] : []));
}

// Shows each message at its field, and all others above the button.
function tell(errors, isShown = () => true) {
  form.querySelectorAll("[data-problem-of]:not([data-coupon] *)").forEach((place) => { place.textContent = ""; });
  form.querySelectorAll("[aria-invalid]").forEach((control) => control.removeAttribute("aria-invalid"));
  part("problem").replaceChildren();
  const rest = [];
  for (const [name, sentences] of Object.entries(errors).filter(([each]) => isShown(each))) {
    if (name.startsWith("items.")) continue;
    const place = form.querySelector(`[data-problem-of="${CSS.escape(name)}"]`);
    if (!place || place.closest("[hidden]")) rest.push(...sentences);
    else place.textContent = sentences.join(" ");
    form.querySelectorAll(`[name="${CSS.escape(name)}"]`).forEach((control) => control.setAttribute("aria-invalid", "true"));
  }
  if (rest.length) explain(rest.join(" "));
}

async function place(pressed) {
  const check = chosenCheck();
  const { status, document, isMismatch } = check ? await addRound(check, pressed.items, cart.key())
    : await send("orders", { ...pressed, client_uuid: cart.key(), expected_total: quoted()?.total });
  const token = check?.token ?? document.track_token;
  if (status === 201 && isMismatch) {
    // A response was lost and the cart has changed since: the first order was placed, and this is another one.
    cart.renewKey();
    part("problem").replaceChildren(_("Your earlier order was placed:"), " ", make("a", { href: `/t/${token}` }, _("Order %(number)s", { number: check?.number ?? document.number })),
      " ", _("Order again if you want this too."));
  } else if (status === 201) {
    await placed();
    cart.empty();
    // Back from the order leads to the menu, not to an empty drawer. Under another name of the site the guest's language and account would be gone.
    location.replace(check ? `/t/${token}` : new URL(document.continue_url).pathname);
  } else if (status === 422) {
    await showRefusal(document);
  } else {
    tell({ "": [document.message] });
    if (document.reason === "price_changed") {
      note = document.message;
      ask({ isUrgent: true });
    }
  }
}

// A refusal reaches lines and times through a new quote, which words them for the guest.
async function showRefusal(document) {
  refused = new Set(Object.keys(document.errors));
  ask({ isUrgent: true });
  await settle();
  const isKnown = quoted() && (goneLines().length || CLOSED_REASONS.has(quoted().reason) || Object.keys(document.errors).every((name) => name in quoted().problems));
  if (!isKnown) tell(document.errors);
  const lineErrors = Object.entries(document.errors).filter(([name]) => name.startsWith("items.")).flatMap(([, sentences]) => sentences);
  if (!isKnown && lineErrors.length) explain(lineErrors.join(" "));
  const wrong = form.querySelector("[aria-invalid]") ?? part("problem").querySelector("button");
  wrong?.focus();
  // The message of a time stands below all times of the day.
  (form.querySelector("[data-problem-of]:not(:empty)") ?? wrong)?.scrollIntoView({ block: "center" });
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (isSending) return;
  isSending = true;
  submit.setAttribute("aria-disabled", "true");
  try {
    // What is corrected while the quote is on its way is not ordered: the guest has not pressed for it.
    const pressed = body();
    const seen = quoted()?.total_text;
    await settle();
    if (seen && quoted() && quoted().total_text !== seen) explain(_("The total is %(total)s now. Order if you agree.", { total: quoted().total_text }));
    else await place(pressed);
  } catch {
    tell({ "": [_("The order could not be sent. Check the connection and try again: it will not be placed twice.")] });
  } finally {
    isSending = false;
    submit.removeAttribute("aria-disabled");
  }
});

form.addEventListener("change", (event) => {
  if (event.target.name !== "coupon_code") ask();
});

part("head").append(closeButton(hide));
part("sections").append(...renderAll());
useFields(values);
cart.onChange(() => {
  showCart();
  ask();
});
// The amounts of before are marked as outdated until the answer.
onAsk(showAmounts);
onQuote(() => {
  showCart();
  showPayment();
  showProblems();
});
onModeChange(() => {
  showPayment();
  ask();
});
// A round has no fields of an order: tip, coupon and name are those of the check.
onCheckChange(() => form.toggleAttribute("data-round", chosenCheck() !== null));
register("order", dialog, { open: () => { showCart(); showProblems(); }, closed: forgetRemoved });
showCart();
showPayment();
ask({ isUrgent: true });
