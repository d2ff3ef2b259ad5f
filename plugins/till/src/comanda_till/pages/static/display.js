// The customer's display: a second window of the till's browser, or any device that was connected to the till.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";

const part = (name) => document.querySelector(`[data-${name}]`);
const { events } = part("welcome").dataset;

function show({ store, lines, sums, change }) {
  if (store) part("store").textContent = store;
  part("shown-lines").replaceChildren(...lines.map(({ label, amount }) => make("li", {}, make("span", { dir: "auto" }, label), make("span", { class: "price" }, amount))));
  part("shown-rows").replaceChildren(...sums.flatMap(({ label, amount }, position) => {
    const last = position === sums.length - 1 ? { class: "total" } : {};
    return [make("dt", last, label), make("dd", last, amount)];
  }));
  part("shown-change").textContent = change ? _("Change: %(amount)s", { amount: change }) : "";
  part("welcome").hidden = lines.length > 0 || sums.length > 0;
  part("shown-lines").lastElementChild?.scrollIntoView({ block: "nearest" });
}

function follow() {
  const stream = new EventSource(events);
  stream.addEventListener("check", ({ data }) => show(JSON.parse(data)));
  stream.addEventListener("disconnected", () => {
    stream.close();
    show({ lines: [], sums: [], change: null });
    part("welcome").textContent = _("This display is disconnected. Connect it again at the till.");
  });
}

if (events) follow();
else {
  const channel = new BroadcastChannel("comanda.till.display");
  channel.onmessage = ({ data }) => data !== "hello" && show(data);
  channel.postMessage("hello");
}
