// The points of the customer who is signed in, and the reward that they take with this order.
import { gettext as _, ngettext } from "/own/texts.js";
import { customer, onAccount } from "./account.js";
import { isolated, make, own, problemFor } from "./dom.js";
import { shop } from "./menu.js";
import { ask } from "./quote.js";

const NAME = "loyalty_reward";
const element = make("div", { class: "field", hidden: true, "data-rewards": true });
const select = make("select", { id: NAME, name: NAME, "aria-describedby": `${NAME}-balance ${NAME}-problem` });
const balance = make("p", { class: "quiet", id: `${NAME}-balance` });
let known;

const pointsText = (count) => ngettext("%(num)s point", "%(num)s points", count);

export const value = () => ({ [NAME]: Number(select.value) || undefined });

// Returns null where there is nothing to show, also without an answer: the order does not depend on it.
async function load() {
  if (!shop.loyalty || !customer()) return null;
  try {
    const answer = await fetch(`/s/${shop.slug}/loyalty`);
    const document = answer.ok ? await answer.json() : null;
    return document?.programme ? document : null;
  } catch {
    return null;
  }
}

function option({ id, name, points, is_affordable: isAffordable }) {
  const text = _("%(name)s for %(points)s", { name: isolated(name), points: pointsText(points) });
  return make("option", { value: id, disabled: !isAffordable }, text);
}

async function update() {
  if (known === (customer()?.id ?? null)) return;
  known = customer()?.id ?? null;
  const hadReward = select.value;
  const found = await load();
  element.hidden = !found?.rewards.length;
  select.replaceChildren(make("option", { value: "" }, _("No reward")), ...(found?.rewards ?? []).map(option));
  balance.textContent = found ? _("You have %(points)s.", { points: pointsText(found.balance) }) : "";
  if (hadReward) ask();
}

export function render() {
  element.append(make("label", { for: NAME }, _("Reward")), select, balance, problemFor(NAME));
  onAccount(update);
  update();
  return element;
}

// What the account says of points, once it is known.
export function pointsPart() {
  const part = make("section", { hidden: true });
  load().then((found) => {
    if (!found) return;
    const rewards = found.rewards.map((each) => make("li", {}, own(each.name), " · ", pointsText(each.points)));
    part.append(make("h3", {}, _("Your points")), make("p", {}, _("You have %(points)s.", { points: pointsText(found.balance) })),
      make("ul", { class: "plain-list" }, rewards));
    part.hidden = false;
  });
  return part;
}
