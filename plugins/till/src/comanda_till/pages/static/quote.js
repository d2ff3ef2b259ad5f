// What the order being taken costs: the server's quote, or without a network the prices of the menu as it is shown.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { currentOf } from "./acts.js";
import { foldCombos } from "./combos.js";
import { menuTotal, state, toBody } from "./order_state.js";
import { showToCustomer, shownName } from "./display_feed.js";
import { promotionsOf } from "./receipt.js";
import { money, session, Unanswered } from "./session.js";

const QUOTE_DELAY_MS = 250;
const place = document.querySelector("[data-amounts]");
const provisional = document.querySelector("[data-provisional]");
let quote = null;
let waiting = 0;
let asked = 0;

export const lineTotal = (position) => quote?.items[position]?.line_total ?? null;

// Asks what the order costs shortly after its last change; answers to earlier questions are ignored.
// `onRefused(error)` is called if it cannot be placed as it is, with null if nothing is known against it.
export function askQuote(onQuote, onRefused) {
  clearTimeout(waiting);
  const number = ++asked;
  if (!state().lines.length) {
    quote = null;
    onRefused(null);
    return show();
  }
  waiting = setTimeout(async () => {
    let found = null;
    try {
      found = await session.call("POST", "/api/v1/staff/orders/quote", toBody());
    } catch (error) {
      // A table that is still missing is no error yet; what is wrong is said when the order is sent.
      if (number === asked && error instanceof Unanswered) showProvisional();
      if (error instanceof Unanswered) return;
      if (number !== asked) return;
      showProvisional();
      provisional.hidden = true;
      onRefused(error);
      return;
    }
    if (number !== asked) return;
    quote = { ...found, items: foldCombos(found.items) };
    show();
    onRefused(null);
    onQuote();
  }, QUOTE_DELAY_MS);
}

function show() {
  provisional.hidden = true;
  const rows = quote ? [
    [_("Discount"), -quote.discount_total], ...promotionsOf(quote), [_("Service charge"), quote.service_charge],
    [_("Tax"), quote.tax_included ? 0 : quote.tax_total], [totalLabel(), quote.total],
  ].filter(([, amount], position, all) => amount || position === all.length - 1) : [];
  draw(rows);
}

function showProvisional() {
  quote = null;
  provisional.hidden = false;
  draw([[totalLabel(), menuTotal(state().lines)]]);
}

const totalLabel = () => (state().order ? _("This round") : _("Total"));

function draw(rows) {
  const { order: kept, lines } = state();
  const order = kept && currentOf(kept);
  showToCustomer({
    lines: [...foldCombos(order?.items ?? []).map((line) => [shownName(line), money(line.line_total ?? line.unit_price * line.quantity)]), ...lines.map((line, position) => [shownName(line), lineTotal(position) === null ? "" : money(lineTotal(position))])],
    rows: [...(order ? [[_("To pay"), order.amount_due]] : []), ...rows].map(([label, amount]) => [label, money(amount)]), change: null,
  });
  place.replaceChildren(...rows.flatMap(([label, amount], position) => {
    const last = position === rows.length - 1 ? { class: "total" } : {};
    return [make("dt", last, label), make("dd", last, money(amount))];
  }));
}
