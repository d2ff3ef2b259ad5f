// Orders, rounds and payments: kept in the browser with their key before they are sent, and sent in the order of each
// check, so that each is done once, also after a lost answer, a reload, or an evening without a network.
import { gettext as _ } from "/own/texts.js";
import { ActionQueue } from "/own/action_queue.js";
import { Refused, session } from "./session.js";

const ORDERS = "/api/v1/staff/orders";
const busy = new Set();

export const createKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export const queue = new ActionQueue({ name: "comanda.till", headers: () => session.headers, owner: () => session.kept.store?.id ?? null, locate });

// A payment of an order that was placed without a network: the order's request, sent again, says which one it became.
async function locate({ about: { placed } }) {
  const { id } = await session.call("POST", ORDERS, placed.body, { "Idempotency-Key": placed.key });
  return `${ORDERS}/${id}/payments`;
}

// Does something once, and resolves to the server's answer; to null while no answer comes, when it is sent later; and
// to undefined for a second tap while the first is under way. Raises `Refused`. `name` is what is done, `lane` its check.
export async function act(name, { lane, path = null, body, about, key = createKey() }) {
  if (busy.has(name)) return undefined;
  busy.add(name);
  const answered = waitFor(key);
  try {
    await queue.add({ lane, path, body, about, key });
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
  session.keep({ refusals: [...(session.kept.refusals ?? []).filter((each) => each.key !== action.key), { key: action.key, at: action.addedAt, message, path: action.path, body: action.body, about: action.about }] });
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
  const sum = waiting.reduce((total, { about }) => total + (about.kind === "round" ? about.total : -about.towards), order.amount_due);
  return { ...order, isProvisional: true, amount_due: Math.max(0, Number(sum.toFixed(3))) };
}

// Checks that the server does not know yet, as they were placed here. Their sums are provisional.
export function newChecks() {
  return queue.pending.filter((action) => action.about?.kind === "place").map((action) => toCheck(action));
}

export function toCheck({ key, body, about, addedAt }) {
  const paid = queue.pending.filter((action) => action.about?.placed?.key === key).reduce((sum, action) => sum + action.about.towards, 0);
  return {
    id: null, key, body, number: null, isProvisional: true, created_at: new Date(addedAt).toISOString(), status: "new", type: body.type,
    table_number: body.table_number ?? null, customer_name: body.customer_name ?? null, payment_status: "unpaid",
    total: about.total, amount_due: Math.max(0, Number((about.total - paid).toFixed(3))), items: about.lines,
  };
}
