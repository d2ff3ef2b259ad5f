// Bumps and recalls: shown at once, sent in order, and laid over each board that comes until the server has answered.
import { ActionQueue } from "/own/action_queue.js";
import { headers, session } from "./api.js";

export const STATES = ["queued", "preparing", "ready", "served"];
// A board that was read before a step arrives after its answer.
export const SETTLING_MS = 4_000;

let settling = [];

export const queue = new ActionQueue({ name: "comanda.kitchen", headers, owner: () => session().store?.id ?? null });

queue.addEventListener("sent", ({ detail: { action } }) => {
  if (!action.about || action.about.soldOut) return;
  settling.push({ ...action, until: Date.now() + SETTLING_MS });
});

const isStep = (action) => Boolean(action.about && !action.about.soldOut);

export const waiting = () => queue.pending.length;

// Whether an item's state is one that the server has not confirmed.
export const isWaiting = (itemId) => queue.pending.some((action) => action.about?.item?.id === itemId);

const laneOf = (ticket) => `order-${ticket.order_id}`;

// A cook has seen what was cancelled.
export function addSeen(ticket, id) {
  return queue.add({ lane: laneOf(ticket), method: "PUT", path: `/api/v1/staff/kds/voids/${id}/seen`, about: { seen: id } });
}

// Fires a course now.
export const addFire = (ticket, course) => addFiring(ticket, course, "POST", null, { is_held: false });

// Fires a course at a moment, which does not depend on when this is sent; null leaves it to somebody's hand.
export function addFireTime(ticket, course, at) {
  return addFiring(ticket, course, at ? "POST" : "DELETE", at ? { at } : null, { fire_at: at });
}

function addFiring(ticket, course, method, body, becomes) {
  const path = `/api/v1/staff/kds/orders/${ticket.order_id}/courses/${course}/fire`;
  return queue.add({ lane: laneOf(ticket), method, path, body, about: { fired: { order: ticket.order_id, course, becomes } } });
}

// The state of an item after a bump or a recall, nothing at either end; with one bump nothing is cooking.
export function stateAfter({ status, bumps }, act) {
  const place = STATES.indexOf(status);
  const rest = act === "bump" ? STATES.slice(place + 1) : STATES.slice(0, place).reverse();
  return rest.find((state) => bumps !== 1 || state !== "preparing");
}

// Whether the kitchen is done with an item, which then is for the pass.
export const isDone = ({ status, bumps }) => status === "served" || (status === "ready" && bumps < 3);

export function addStep(ticket, item, act) {
  const to = stateAfter(item, act);
  if (!to) return null;
  const { items, voids, ...order } = ticket;
  return queue.add({
    lane: laneOf(ticket),
    method: "PUT",
    path: `/api/v1/staff/kds/items/${item.id}/${act}`,
    body: { expected_status: item.status },
    expected: item.status,
    about: { act, to, item: { ...item }, order },
  });
}

// The board as it will be when the steps that wait have arrived. A step that does not fit what the server shows is left
// out: either it has arrived already, or somebody else was faster, and the server's answer tells which.
export function withSteps(tickets) {
  settling = settling.filter((step) => step.until > Date.now());
  const shown = tickets.map((ticket) => ({ ...ticket, key: keyOf(ticket), items: ticket.items.map((item) => ({ ...item })), voids: ticket.voids ?? [] }));
  for (const { expected, about } of [...settling, ...queue.pending.filter(isStep)]) {
    if (!about.item) {
      overlay(shown, about);
      continue;
    }
    let ticket = shown.find((each) => each.key === about.order.key);
    const item = ticket?.items.find((each) => each.id === about.item.id);
    if (item?.status === expected) item.status = about.to;
    if (item || expected !== "served") continue;
    if (!ticket) shown.push((ticket = { ...about.order, items: [], voids: [] }));
    ticket.items = [...ticket.items, { ...about.item, status: about.to }].sort((one, other) => one.id - other.id);
  }
  for (const ticket of shown) ticket.items = ticket.items.filter((item) => item.status !== "served");
  return shown.filter((ticket) => ticket.items.length || ticket.voids.length);
}

// Each round of an order is a ticket of its own.
const keyOf = ({ order_id: id, round }) => (round > 1 ? `${id}.${round}` : `${id}`);

function overlay(shown, { seen, fired }) {
  for (const ticket of shown) {
    ticket.voids = ticket.voids.filter((each) => each.id !== seen);
    if (ticket.order_id !== fired?.order) continue;
    for (const item of ticket.items) if (item.course === fired.course && item.is_held) Object.assign(item, fired.becomes);
  }
}
