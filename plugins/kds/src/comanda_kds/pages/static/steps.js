// Bumps and recalls: shown at once, sent in order, and laid over each board that comes until the server has answered.
import { ActionQueue } from "/own/action_queue.js";
import { headers, session } from "./api.js";

export const STATES = ["queued", "preparing", "ready", "served"];
// A board that was read before a step arrives after its answer.
export const SETTLING_MS = 4_000;

let settling = [];

export const queue = new ActionQueue({ name: "comanda.kitchen", headers, owner: () => session().store?.id ?? null });

queue.addEventListener("sent", ({ detail: { action } }) => {
  if (!action.about?.item) return;
  settling.push({ ...action, until: Date.now() + SETTLING_MS });
});

const isStep = (action) => Boolean(action.about?.item);

export const waiting = () => queue.pending.length;

// Whether an item's state is one that the server has not confirmed.
export const isWaiting = (itemId) => queue.pending.some((action) => action.about?.item?.id === itemId);

export function addStep(ticket, item, act) {
  const place = STATES.indexOf(item.status) + (act === "bump" ? 1 : -1);
  if (!STATES[place]) return null;
  const { items, ...order } = ticket;
  return queue.add({
    lane: `order-${ticket.order_id}`,
    method: "PUT",
    path: `/api/v1/staff/kds/items/${item.id}/${act}`,
    body: { expected_status: item.status },
    expected: item.status,
    about: { act, to: STATES[place], item: { ...item }, order },
  });
}

// The board as it will be when the steps that wait have arrived. A step that does not fit what the server shows is left
// out: either it has arrived already, or somebody else was faster, and the server's answer tells which.
export function withSteps(tickets) {
  settling = settling.filter((step) => step.until > Date.now());
  let shown = tickets.map((ticket) => ({ ...ticket, items: ticket.items.map((item) => ({ ...item })) }));
  for (const { expected, about } of [...settling, ...queue.pending.filter(isStep)]) {
    let ticket = shown.find((each) => each.order_id === about.order.order_id);
    const item = ticket?.items.find((each) => each.id === about.item.id);
    if (item?.status === expected) item.status = about.to;
    if (item || expected !== "served") continue;
    if (!ticket) shown.push((ticket = { ...about.order, items: [] }));
    ticket.items = [...ticket.items, { ...about.item, status: about.to }].sort((one, other) => one.id - other.id);
  }
  for (const ticket of shown) ticket.items = ticket.items.filter((item) => item.status !== "served");
  return shown.filter((ticket) => ticket.items.length);
}
