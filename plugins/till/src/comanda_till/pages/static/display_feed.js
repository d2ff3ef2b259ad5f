// What the customer's display shows: the lines, the sum and the change of the check at hand, and nothing of who is here.
const channel = new BroadcastChannel("comanda.till.display");
let shown = { lines: [], rows: [], change: null, store: "" };

export function showToCustomer(changes) {
  shown = { ...shown, ...changes };
  channel.postMessage(shown);
}

// A display that was just opened asks for what is there.
channel.onmessage = ({ data }) => data === "hello" && channel.postMessage(shown);
