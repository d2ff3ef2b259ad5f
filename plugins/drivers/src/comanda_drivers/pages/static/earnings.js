// What the driver earned, and the cash that is to be handed in.
import { dayLocale, gettext as _, ngettext } from "/own/texts.js";
import { make, money } from "./elements.js";

export function cashHeld(found) {
  if (!found.data.length) return [make("p", { class: "quiet" }, _("You have no cash to hand in."))];
  const rows = found.data.flatMap((held) => [make("dt", { dir: "auto" }, held.restaurant_name), make("dd", { class: "amount" }, money(held.amount, held.currency))]);
  return [make("dl", { class: "sums" }, ...rows)];
}

const row = (name, amount, currency, attributes = {}) => [make("dt", attributes, name), make("dd", attributes, money(amount, currency))];

function sums(found) {
  const extra = [[_("Tips"), found.tips], [_("Adjustments"), found.adjustments]].filter(([, amount]) => amount);
  return make(
    "dl",
    { class: "sums" },
    ...row(ngettext("%(num)s delivery", "%(num)s deliveries", found.deliveries), found.base, found.currency),
    ...extra.flatMap(([name, amount]) => row(name, amount, found.currency)),
    ...row(_("Total"), found.total, found.currency, { class: "total" }),
  );
}

export const earnedToday = (found) => [sums(found)];

export function earnings(found) {
  const day = (moment) => new Date(moment).toLocaleString(dayLocale, { weekday: "short", hour: "2-digit", minute: "2-digit" });
  const list = [
    ...found.items.map((item) => [item.delivered_at, _("Delivery"), item.total]),
    ...found.adjusted.map((item) => [item.at, item.reason, item.amount]),
  ].sort(([one], [other]) => other.localeCompare(one));
  const rows = list.flatMap(([at, name, amount]) => row(`${day(at)} ${name}`, amount, found.currency));
  return [sums(found), ...(list.length ? [make("dl", { class: "sums" }, ...rows)] : [])];
}
