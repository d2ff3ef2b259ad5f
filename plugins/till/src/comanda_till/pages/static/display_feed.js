// What the customer's displays show: the lines, the sums and the change of the check at hand, and nothing of who is here.
import { session, weight } from "./session.js";

const SEND_MS = 150;
const RETRY_MS = 5_000;
const channel = new BroadcastChannel("comanda.till.display");
let shown = { lines: [], sums: [], change: null, store: "" };
let timer = 0;
let isSending = false;
let isStale = false;

// What a line is called on a display, with what it weighs or how else its price was made.
export function shownName({ quantity, name, price_label: label, weight_g: grams }) {
  return [`${quantity} × ${name}`, label ?? (grams ? weight(grams) : null)].filter(Boolean).join(", ");
}

// `lines` and `rows` are pairs of a label and an amount.
export function showToCustomer({ lines, rows, ...changes }) {
  const toRecords = (pairs) => pairs.map(([label, amount]) => ({ label, amount }));
  shown = { ...shown, ...changes, ...(lines && { lines: toRecords(lines) }), ...(rows && { sums: toRecords(rows) }) };
  channel.postMessage(shown);
  send();
}

// Sends what is shown to the display on another device, if there is one: the latest, one request at a time.
export function send() {
  isStale = true;
  clearTimeout(timer);
  if (!isSending) timer = setTimeout(sendLatest, SEND_MS);
}

async function sendLatest() {
  const id = session.kept.display;
  if (!id || !session.kept.token) return;
  isSending = true;
  isStale = false;
  const { lines, sums, change } = shown;
  let wait = 0;
  try {
    await session.call("PUT", `/api/v1/staff/displays/${id}/check`, { lines, sums, change });
  } catch (error) {
    // Somebody disconnected it; anything else is tried again.
    if (error.status === 404) session.keep({ display: null });
    else [isStale, wait] = [true, RETRY_MS];
  } finally {
    isSending = false;
  }
  if (isStale) timer = setTimeout(sendLatest, wait);
}

// Shows nothing of the last check to the next guest, before somebody logs out.
export async function clearDisplays() {
  showToCustomer({ lines: [], rows: [], change: null });
  clearTimeout(timer);
  if (!isSending) await sendLatest();
  clearTimeout(timer);
}

// A display that was just opened asks for what is there.
channel.onmessage = ({ data }) => data === "hello" && channel.postMessage(shown);
