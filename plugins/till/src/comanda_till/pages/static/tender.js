// The form of a tender: how much is paid, and how.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { decimals, money, parseAmount } from "./session.js";

const TENDERS = { cash: _("Cash"), card_external: _("Card"), reader: _("Card reader"), gift_card: _("Gift card") };
// These need the server, at once.
const ONLINE = { gift_card: _("A gift card can only be checked with a network."), reader: _("A card reader needs a network.") };

export const needsNetwork = (method) => method in ONLINE;

// Says which tenders need a network while there is none.
export function setOnline(form, isOnline) {
  const off = [...form.querySelectorAll('[name="method"]')].filter((each) => needsNetwork(each.value));
  for (const each of off) each.disabled = !isOnline;
  form.querySelector("[data-offline]").textContent = isOnline ? "" : off.map((each) => ONLINE[each.value]).join(" ");
}

// `amount` is what is to pay now. `pay(tender, form)` is called with {method, received, tip, reference, code, reader}; `turn`
// with another method. `readers` are the card readers of the store.
export function tenderForm({ amount, method, readers, isOnline, hint, pay, turn, onAmount }) {
  const tenders = Object.entries(TENDERS).filter(([code]) => code !== "reader" || readers.length);
  const form = make("form", { class: "card", novalidate: true },
    make("fieldset", { class: "tenders" }, make("legend", { class: "unseen" }, _("Payment method")), tenders.map(([code, label]) =>
      make("label", { class: "chip" }, make("input", { type: "radio", name: "method", value: code, checked: code === method, "aria-describedby": needsNetwork(code) ? "offline-tenders" : null }), label))),
    make("p", { class: "quiet", id: "offline-tenders", role: "status", "data-offline": true }),
    method === "cash" ? make("div", { class: "notes quick", role: "group", "aria-label": _("Cash received") }, suggestions(amount).map((each, position) =>
      make("button", { type: "button", class: position ? "plain" : "", onclick: () => { form.amount.value = each.toFixed(decimals()); send(); } }, position ? money(each) : _("Exact %(amount)s", { amount: money(each) })))) : null,
    make("div", { class: "split" },
      field("amount", method === "cash" ? _("Cash received") : _("Amount"), { inputmode: "decimal", value: amount.toFixed(decimals()) }),
      field("tip", _("Tip"), { inputmode: "decimal" }, true),
      method === "card_external" ? field("reference", _("Receipt number of the terminal"), { maxlength: 100 }, true) : null,
      method === "reader" ? make("div", { class: "field" }, make("label", { for: "reader" }, _("Card reader")), make("select", { id: "reader", name: "reader" }, readers.map((each) =>
        make("option", { value: each.reference, disabled: !each.is_online }, each.is_online ? each.name : _("%(reader)s (offline)", { reader: each.name }))))) : null,
      method === "gift_card" ? field("code", _("Code of the gift card"), { maxlength: 30, autocapitalize: "characters" }) : null),
    make("p", { class: "change", role: "status" }, hint),
    make("p", { class: "problem", role: "alert" }),
    make("button", { type: "submit", class: "wide" }, method === "reader" ? _("Send to the reader") : _("Take the payment")));
  setOnline(form, isOnline);
  form.addEventListener("change", ({ target }) => target.name === "method" && turn(target.value));
  form.addEventListener("input", () => onAmount(form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  return form;

  async function send() {
    const problem = form.querySelector(".problem");
    const received = parseAmount(form.amount.value);
    const tip = form.tip.value.trim() ? parseAmount(form.tip.value) : 0;
    problem.textContent = "";
    if (!received || tip === null) {
      problem.textContent = _("Enter an amount, such as 12.50.");
      return (received ? form.tip : form.amount).focus();
    }
    const buttons = form.querySelectorAll("button");
    for (const button of buttons) button.disabled = true;
    try {
      await pay({ method, received, tip, reference: form.reference?.value.trim() || undefined, code: form.code?.value.trim() || undefined, reader: form.reader?.value });
    } catch (error) {
      problem.textContent = error.message;
    } finally {
      for (const button of buttons) button.disabled = false;
    }
  }
}

function field(name, label, attributes, isOptional = false) {
  return make("div", { class: "field" }, make("label", { for: name }, label, isOptional ? [" ", make("span", { class: "quiet" }, _("(optional)"))] : null), make("input", { id: name, name, autocomplete: "off", ...attributes }));
}

// The exact amount and the next round ones, as people hand them over.
function suggestions(amount) {
  const rounded = [5, 10, 20, 50, 100].map((step) => Math.ceil(amount / step) * step);
  return [...new Set([amount, ...rounded])].sort((one, other) => one - other).slice(0, 5);
}
