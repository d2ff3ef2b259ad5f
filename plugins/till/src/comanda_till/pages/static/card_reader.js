// Payments on a card reader: started once under a key, and followed until the guest has paid, declined or left.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { createKey } from "./acts.js";
import { money, session, Unanswered } from "./session.js";

const FOLLOW_MS = 1500;
let readers = [];

// The card readers of the store; as before if no answer comes.
export async function loadReaders() {
  readers = await session.call("GET", "/api/v1/staff/card-readers").catch(() => readers);
  return readers;
}

export const cardReaders = () => readers;

const pause = () => new Promise((resolve) => setTimeout(resolve, FOLLOW_MS));

// Asks until there is an answer: with its key, nothing is done twice.
async function insist(ask, isWanted) {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Unanswered) || !isWanted()) throw error;
      await pause();
    }
  }
}

// Starts a payment of an order, and returns it as soon as the server has it.
export function startOnReader(order, body, isWanted) {
  const key = createKey();
  return insist(() => session.call("POST", `/api/v1/staff/orders/${order.id}/payments`, body, { "Idempotency-Key": key }), isWanted);
}

// Follows a payment while it is pending and somebody looks at it, and returns it as it is then.
export async function followOnReader(order, payment, isWanted) {
  const path = `/api/v1/staff/orders/${order.id}/payments/${payment.id}/check`;
  let found = payment;
  while (found.status === "pending") {
    // The view comes after what it shows has been loaded, so that it is waited for too.
    await pause();
    if (!isWanted()) return found;
    found = await insist(() => session.call("POST", path), isWanted);
  }
  return found;
}

// What stands in place of the form while a reader asks for a card.
export function readerPanel(order, payment) {
  const name = readers.find((each) => each.reference === payment.reader)?.name;
  const problem = make("p", { class: "problem", role: "alert" });
  const stop = make("button", { type: "button", class: "plain wide", onclick: cancel }, _("Cancel the payment"));
  return make("div", { class: "card stack" },
    make("p", { role: "status" }, make("strong", { class: "change" }, money(payment.amount + payment.tip))),
    make("p", {}, name ? _("Waiting for the card at %(reader)s.", { reader: name }) : _("Waiting for the card at the reader.")),
    problem, stop);

  async function cancel() {
    stop.disabled = true;
    try {
      await session.call("POST", `/api/v1/staff/orders/${order.id}/payments/${payment.id}/cancel`);
    } catch (error) {
      // If it was paid meanwhile, the next check finds that.
      problem.textContent = error.message;
    } finally {
      stop.disabled = false;
    }
  }
}
