// What the phone keeps of a driver's deliveries, so that they can be read without a connection; gone after logging out.
import { keep, session } from "./api.js";

const EMPTY = { deliveries: [], chosen: null, earned: null, held: null };

export const read = () => ({ ...EMPTY, ...session().data });

export function update(values) {
  keep({ data: { ...read(), ...values } });
}

// Puts the server's word on one delivery in place of the old; what has ended is forgotten.
export function settle(delivery) {
  const isOver = delivery.delivery_status === "delivered" || delivery.delivery_status === "failed";
  const rest = read().deliveries;
  update({ deliveries: isOver ? rest.filter((each) => each.id !== delivery.id) : rest.map((each) => (each.id === delivery.id ? delivery : each)) });
}

// Returns a delivery as it will be when the waiting acts have been sent.
export function project(delivery, actions) {
  const waiting = actions.filter((action) => action.subject === delivery.id);
  const shown = { ...delivery, proof: { ...delivery.proof }, waiting: waiting.length, problem: null };
  for (const { id, kind, body, problem } of waiting) {
    if (problem) {
      shown.problem = { id, kind, text: problem };
      break;
    }
    if (kind === "status") shown.delivery_status = body.delivery_status;
    if (kind === "photo") shown.proof.photos += 1;
    if (kind === "verify") shown.proof.is_code_waiting = true;
  }
  return shown;
}
