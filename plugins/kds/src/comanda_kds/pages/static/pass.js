// The pass: orders as whoever hands them over sees them, with all their rounds in one. Those that are complete come
// first, in the order in which they became so.
import { pgettext } from "/own/texts.js";

export const PASS = { id: "pass", name: pgettext("kitchen", "Pass") };

const isMade = (item) => item.status === "ready";

export function toOrders(tickets, stations) {
  const names = new Map(stations.map(({ id, name }) => [id, name]));
  const orders = new Map();
  for (const ticket of tickets) orders.set(ticket.order_id, [...(orders.get(ticket.order_id) ?? []), ticket]);
  return [...orders.values()].map((found) => toOrder(found, names)).sort(compare);
}

function toOrder(rounds, names) {
  const items = rounds.flatMap((ticket) => ticket.items).map((item) => ({ ...item, station: names.get(item.station_id) }));
  const fired = items.filter((item) => !item.is_held);
  return {
    ...rounds[0],
    key: `${rounds[0].order_id}`,
    round: 1,
    since: rounds.map((ticket) => ticket.since).sort()[0],
    items,
    voids: rounds.flatMap((ticket) => ticket.voids),
    isAtPass: true,
    isComplete: fired.length > 0 && fired.every(isMade),
    // One that is not confirmed yet is ready now.
    completeAt: fired.map((item) => (isMade(item) && item.ready_at) || "~").sort().at(-1),
  };
}

function compare(one, other) {
  if (one.isComplete !== other.isComplete) return one.isComplete ? -1 : 1;
  const [first, second] = one.isComplete ? [one.completeAt, other.completeAt] : [one.since, other.since];
  return first === second ? one.order_id - other.order_id : first < second ? -1 : 1;
}
