// Orders, rounds and payments: kept in the browser with their key before they are sent, and sent in the order of each
// check, so that each is done once, also after a lost answer, a reload, or an evening without a network.
import { gettext as _ } from "/own/texts.js";
import { ActionQueue } from "/own/action_queue.js";
import { foldCombos } from "./combos.js";
import { Refused, session } from "./session.js";

const ORDERS = "/api/v1/staff/orders";
const busy = new Set();

export const createKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export const queue = new ActionQueue({ name: "comanda.till", headers: () => session.headers, owner: () => session.kept.store?.id ?? null, locate });

// A payment, a void or a cancellation of what was sent without a network: its request, sent again, says which order and line it became.
async function locate({ about }) {
  const { placed } = about;
  const answer = await session.call("POST", placed.path ?? ORDERS, placed.body, { "Idempotency-Key": placed.key });
  about.orderId = answer.id;
  if (about.kind === "pay") return `${ORDERS}/${answer.id}/payments`;
  if (about.kind === "cancel") return `${ORDERS}/${answer.id}/status`;
  const lines = foldCombos(answer.items);
  const round = placed.path ? Math.max(...lines.map((line) => line.round)) : 1;
  const item = placed.body.items[placed.position];
  const wanted = optionsOf(item);
  const found = lines.filter((each) => each.round === round && optionsOf({ ...each, variation: each.variation?.id, extras: each.extras.flatMap(({ id, quantity }) => Array(quantity).fill(id)) }) === wanted);
  // The server does not say the weight of a line: of several, the price tells which one it is.
  const line = item.weight_g && found.length > 1 ? found.find((each) => each.unit_price === about.unitPrice) : found[0];
  if (!line) throw new Refused(404, { message: _("This line is not on the check any more.") });
  about.path = `${ORDERS}/${answer.id}/lines/${line.id}/void`;
  return about.path;
}

// What tells the lines of one order or round apart: equal ones are one line.
const optionsOf = ({ item_id, variation, extras, note, seat, course }) =>
  JSON.stringify([item_id, variation ?? null, [...(extras ?? [])].sort((one, other) => one - other), note ?? "", seat ?? null, course ?? null]);

// Does something once, and resolves to the server's answer; to null while no answer comes, when it is sent later; and
// to undefined for a second tap while the first is under way. Raises `Refused`. `name` is what is done, `lane` its check.
export async function act(name, { lane, method = "POST", path = null, body, about, key = createKey() }) {
  if (busy.has(name)) return undefined;
  busy.add(name);
  const answered = waitFor(key);
  try {
    await queue.add({ lane, method, path, body, about, key });
    return await answered.promise;
  } finally {
    answered.stop();
    busy.delete(name);
  }
}

const waitedFor = new Set();

// Whether a person is still waiting for what becomes of an act.
export const isWaitedFor = (key) => waitedFor.has(key);

function waitFor(key) {
  const listening = new AbortController();
  waitedFor.add(key);
  const promise = new Promise((resolve, reject) => {
    const on = (type, listener) => queue.addEventListener(type, ({ detail }) => detail.action.key === key && listener(detail), { signal: listening.signal });
    on("sent", ({ document }) => resolve(document));
    on("refused", ({ status, document }) => reject(new Refused(status, document)));
    // Another of the same check may be the one that gets no answer.
    queue.addEventListener("unanswered", () => resolve(null), { signal: listening.signal });
    queue.addEventListener("paused", () => resolve(null), { signal: listening.signal });
  });
  promise.catch(() => {});
  return { promise, stop: () => { listening.abort(); waitedFor.delete(key); } };
}

queue.addEventListener("unanswered", () => session.setLost(true));
queue.addEventListener("sent", () => session.setLost(false));
queue.addEventListener("refused", ({ detail: { action, document } }) => {
  session.setLost(false);
  if (waitedFor.has(action.key)) return;
  const message = Object.values(document.errors ?? {}).flat()[0] ?? document.message ?? _("The server did not take that.");
  session.keep({ refusals: [...(session.kept.refusals ?? []).filter((each) => each.key !== action.key), { key: action.key, at: action.addedAt, message, reason: document.reason, path: action.path ?? action.about.path, body: action.body, about: action.about }] });
});

export const refusals = () => session.kept.refusals ?? [];

export function dropRefusal(key) {
  session.keep({ refusals: refusals().filter((each) => each.key !== key) });
}

// The lane of a check: of the server's order, or of one that has no number yet.
export const laneOf = ({ id, key }) => (id ? `order-${id}` : `new-${key}`);

export const waitingFor = (order) => queue.pending.filter((action) => action.lane === laneOf(order));

// A check as it will be when what waits for it has arrived; its sums are provisional until then.
export function withWaiting(order) {
  const waiting = waitingFor(order);
  if (!waiting.length) return order;
  const sum = waiting.reduce((total, { about }) => total + (about.kind === "pay" ? -about.towards : about.total), order.amount_due);
  const items = order.items && applyTo(order.items, waiting);
  // A service charge goes with the last line.
  const due = items?.length === 0 ? 0 : Math.max(0, Number(sum.toFixed(3)));
  return { ...order, isProvisional: true, amount_due: due, items };
}

// Lines with the rounds that wait, and without what is to be voided.
function applyTo(items, actions) {
  return actions.reduce((lines, action) => {
    if (action.about.kind === "round") return [...lines, ...linesOf(action)];
    if (action.about.kind === "cancel") return [];
    if (action.about.kind !== "void") return lines;
    const { lines: voided, quantity } = action.about;
    return lines.map((line) => (voided.includes(keyOf(line)) ? { ...line, quantity: line.quantity - quantity, line_total: undefined } : line)).filter((line) => line.quantity > 0);
  }, items);
}

// The lines of an order or a round that waits; `placed` is the request that they were sent with, and their place in it.
const linesOf = ({ key, path, body, about }) => about.lines.map((line, position) => ({ ...line, placed: { key, path: path === ORDERS ? null : path, body, position } }));

export const keyOf = (line) => line.id ?? `${line.placed.key}:${line.placed.position}`;

// Checks that the server does not know yet, as they were placed here. Their sums are provisional.
export function newChecks() {
  return queue.pending.filter((action) => action.about?.kind === "place").map((action) => toCheck(action));
}

export function toCheck(action) {
  const { key, body, about, addedAt } = action;
  const waiting = waitingFor({ key }).filter((action) => action.key !== key);
  const due = waiting.reduce((sum, action) => sum + (action.about.kind === "pay" ? -action.about.towards : action.about.total), about.total);
  return {
    id: null, key, body, number: null, isProvisional: true, created_at: new Date(addedAt).toISOString(), status: "new", type: body.type,
    table_number: body.table_number ?? null, customer_name: body.customer_name ?? null, payment_status: "unpaid",
    total: about.total, amount_due: Math.max(0, Number(due.toFixed(3))), items: applyTo(linesOf({ ...action, path: ORDERS }), waiting),
  };
}

// The check at hand as it stands now: one that the server does not know yet may have become an order meanwhile.
export const currentOf = (order) => (order.id ? withWaiting(order) : newChecks().find((each) => each.key === order.key) ?? order);
