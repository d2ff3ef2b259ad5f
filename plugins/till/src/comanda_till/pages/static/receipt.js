// The receipt of an order, on the page and on paper.
import { formatMoment, gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { money, session, zone } from "./session.js";

const METHODS = { cash: _("Cash"), card_external: _("Card"), gift_card: _("Gift card"), store_credit: _("Store credit") };

export const methodName = (method) => METHODS[method] ?? method;

export function receiptOf(order, payments) {
  const placed = formatMoment(order.created_at, zone());
  const amounts = [
    [_("Discount"), -order.discount_total], [_("Service charge"), order.service_charge], [_("Delivery"), order.delivery_fee],
    ...(order.charges ?? []).map((charge) => [charge.label, charge.amount]), [_("Tip"), order.tip_amount],
    [order.tax_included ? _("Tax included") : _("Tax"), order.tax_total],
  ].filter(([, amount]) => amount);
  const row = ([label, amount], attributes = {}) => make("tr", attributes, make("th", { scope: "row", dir: "auto" }, label), make("td", {}, money(amount)));
  return make("article", { class: "card receipt" },
    make("h2", { dir: "auto" }, session.kept.store.title),
    make("p", {}, _("Order %(number)s", { number: order.number }), make("br"), placed,
      order.table_number ? make("span", {}, make("br"), _("Table %(table)s", { table: order.table_number })) : null),
    make("table", {}, make("tbody", {}, order.items.map((line) =>
      make("tr", {}, make("th", { scope: "row", dir: "auto" }, `${line.quantity} × ${line.name}`, choicesOf(line)), make("td", {}, money(line.unit_price * line.quantity)))))),
    make("table", {}, make("tbody", {}, amounts.map((each) => row(each)), row([_("Total"), order.total], { class: "total" }),
      order.rounding ? row([_("Rounding"), order.rounding]) : null,
      payments.filter((payment) => payment.status === "succeeded").reverse().flatMap((payment) => [
        payment.tip ? row([_("Tip"), payment.tip]) : null,
        row([methodName(payment.method), payment.amount + payment.tip + payment.rounding])]),
      order.amount_due ? row([_("Still to pay"), order.amount_due], { class: "total" }) : null)),
    make("button", { type: "button", class: "plain unprinted", onclick: () => window.print() }, _("Print the receipt")));
}

function choicesOf(line) {
  const chosen = [line.variation?.name, ...line.extras.map((extra) => extra.name)].filter(Boolean);
  return chosen.length ? make("span", { class: "quiet" }, chosen.join(", ")) : null;
}
