// The receipt of an order, on the page and on paper.
import { formatMoment, gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { foldCombos } from "./combos.js";
import { money, session, zone } from "./session.js";

const METHODS = { cash: _("Cash"), card_external: _("Card"), gift_card: _("Gift card"), store_credit: _("Store credit") };

export const methodName = (method) => METHODS[method] ?? method;

export function receiptOf(order, payments) {
  if (order.isProvisional) return provisionalReceipt(order);
  const placed = formatMoment(order.created_at, zone());
  const amounts = [
    [_("Discount"), -order.discount_total], ...promotionsOf(order), [_("Service charge"), order.service_charge], [_("Delivery"), order.delivery_fee],
    ...(order.charges ?? []).map((charge) => [charge.label, charge.amount]), [_("Tip"), order.tip_amount],
    [order.tax_included ? _("Tax included") : _("Tax"), order.tax_total],
  ].filter(([, amount]) => amount);
  const row = ([label, amount], attributes = {}) => make("tr", attributes, make("th", { scope: "row", dir: "auto" }, label), make("td", {}, money(amount)));
  return make("article", { class: "card receipt" },
    make("h2", { dir: "auto" }, session.kept.store.title),
    make("p", {}, _("Order %(number)s", { number: order.number }), make("br"), placed,
      order.table_number ? make("span", {}, make("br"), _("Table %(table)s", { table: order.table_number })) : null),
    make("table", {}, make("tbody", {}, foldCombos(order.items).map((line) =>
      make("tr", {}, make("th", { scope: "row", dir: "auto" }, `${line.quantity} × ${line.name}`, choicesOf(line)), make("td", {}, money(line.unit_price * line.quantity)))))),
    make("table", {}, make("tbody", {}, amounts.map((each) => row(each)), row([_("Total"), order.total], { class: "total" }),
      order.rounding ? row([_("Rounding"), order.rounding]) : null,
      payments.filter((payment) => payment.status === "succeeded").reverse().flatMap((payment) => [
        payment.tip ? row([_("Tip"), payment.tip]) : null,
        row([methodName(payment.method), payment.amount + payment.tip + payment.rounding])]),
      order.amount_due ? row([_("Still to pay"), order.amount_due], { class: "total" }) : null)),
    order.tax_total ? taxTable(order.taxes) : null,
    make("button", { type: "button", class: "plain unprinted", onclick: () => window.print() }, _("Print the receipt")));
}

export const promotionsOf = (order) => (order.promotions ?? []).map((each) => [_("of which %(name)s", { name: each.name }), -each.amount]);

// Without the server's sums: what was ordered, at the prices of the menu as it was shown.
function provisionalReceipt(order) {
  return make("article", { class: "card receipt" },
    make("h2", { dir: "auto" }, session.kept.store.title),
    make("p", {}, make("strong", {}, _("Provisional receipt")), make("br"), formatMoment(order.created_at, zone()), order.table_number ? [make("br"), _("Table %(table)s", { table: order.table_number })] : null),
    make("table", {}, make("tbody", {}, (order.items ?? []).map((line) =>
      make("tr", {}, make("th", { scope: "row", dir: "auto" }, `${line.quantity} × ${line.name}`, choicesOf(line)), make("td", {}, money(line.unit_price * line.quantity)))))),
    make("p", {}, _("The prices are those of the menu as it was shown. Taxes, discounts and the number of the order follow when there is a network.")),
    make("button", { type: "button", class: "plain unprinted", onclick: () => window.print() }, _("Print the receipt")));
}

function taxTable(taxes) {
  const head = [_("Tax rate"), _("Net"), _("Tax"), _("Gross")].map((label) => make("th", { scope: "col" }, label));
  const rate = (percent) => new Intl.NumberFormat(document.documentElement.lang, { style: "percent", maximumFractionDigits: 4 }).format(percent / 100);
  return make("table", { class: "taxes", "aria-label": _("Taxes") }, make("thead", {}, make("tr", {}, head)),
    make("tbody", {}, taxes.map((tax) => make("tr", {}, make("th", { scope: "row" }, rate(tax.rate)),
      [tax.net, tax.tax, tax.gross].map((amount) => make("td", {}, money(amount)))))));
}

function choicesOf(line) {
  const chosen = [line.price_label, line.variation?.name, ...line.extras.map((extra) => extra.name)].filter(Boolean);
  return chosen.length ? make("span", { class: "quiet" }, chosen.join(", ")) : null;
}
