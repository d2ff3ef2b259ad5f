// A tip: none, a share of the items, or an amount of the guest's choice.
import { gettext as _, locale } from "/own/texts.js";
import * as cart from "./cart.js";
import { make, pill, problemFor } from "./dom.js";
import { money, shop, toMajor, toMinor } from "./menu.js";
import { onQuote } from "./quote.js";

const NAME = "tip";
const PERCENTS = [5, 10, 15];
const NONE = "0";
const OTHER = "other";
const percent = new Intl.NumberFormat(locale, { style: "percent" });
const element = make("fieldset", { "data-tip": true });
const amount = make("input", { id: "tip_amount", name: "tip_amount", type: "number", inputmode: "decimal", min: 0, step: toMajor(1), "aria-describedby": "tip_amount-problem" });
const field = make("div", { class: "field" }, make("label", { for: "tip_amount" }, _("Tip in %(currency)s", { currency: shop.currency })), amount, problemFor("tip_amount"));
let state = { share: NONE, amount: "", ...cart.saved(NAME) };

const shareOf = (share) => Math.round((cart.subtotal() * share) / 100);

function minor() {
  if (state.share === OTHER) return Math.max(toMinor(Number(state.amount) || 0), 0);
  return shareOf(Number(state.share));
}

export const value = () => ({ tip_amount: shop.tips && minor() ? toMajor(minor()) : undefined });

function keep(change) {
  state = { ...state, ...change };
  cart.keep(NAME, state);
}

function showAmounts() {
  for (const place of element.querySelectorAll("[data-share]")) place.textContent = money(shareOf(Number(place.dataset.share)));
}

export function render() {
  element.hidden = !shop.tips;
  const choice = (share, ...children) => pill({ name: "tip", value: share, checked: state.share === share }, ...children);
  element.append(make("legend", {}, _("Add a tip?")), make("div", { class: "pills" },
    choice(NONE, _("No tip")),
    PERCENTS.map((each) => choice(String(each), make("b", {}, percent.format(each / 100)), " ", make("span", { class: "quiet", "data-share": each }))),
    choice(OTHER, _("Other"))), field);
  amount.value = state.amount;
  field.hidden = state.share !== OTHER;
  element.addEventListener("input", (event) => {
    if (event.target === amount) keep({ amount: amount.value });
  });
  element.addEventListener("change", (event) => {
    if (event.target.name !== "tip") return;
    keep({ share: event.target.value });
    field.hidden = state.share !== OTHER;
    if (!field.hidden) amount.focus();
  });
  cart.onChange(showAmounts);
  onQuote(showAmounts);
  showAmounts();
  return element;
}
