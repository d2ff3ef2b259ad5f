// The customer's display: a second window of the till's browser, which follows the check at hand.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";

const channel = new BroadcastChannel("comanda.till.display");
const part = (name) => document.querySelector(`[data-${name}]`);

channel.onmessage = ({ data }) => {
  if (data === "hello") return;
  part("store").textContent = data.store;
  part("shown-lines").replaceChildren(...data.lines.map(([text, price]) => make("li", {}, make("span", { dir: "auto" }, text), make("span", { class: "price" }, price))));
  part("shown-rows").replaceChildren(...data.rows.flatMap(([label, amount], position) => {
    const last = position === data.rows.length - 1 ? { class: "total" } : {};
    return [make("dt", last, label), make("dd", last, amount)];
  }));
  part("shown-change").textContent = data.change ? _("Change: %(amount)s", { amount: data.change }) : "";
  part("welcome").hidden = data.lines.length > 0 || data.rows.length > 0;
  part("shown-lines").lastElementChild?.scrollIntoView({ block: "nearest" });
};
channel.postMessage("hello");
