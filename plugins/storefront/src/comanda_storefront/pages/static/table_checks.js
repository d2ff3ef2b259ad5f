// The open checks of the table: guests who came by the code on their table see them, and can add their order to one. So can
// guests who come from the page of their order. The code and the token stay in this tab and leave the address, which guests
// pass on. This part of the checkout has no fields of an order.
import { gettext as _ } from "/own/texts.js";
import { make, pill } from "./dom.js";
import { isAtKnownTable, onModeChange, table } from "./fulfillment.js";
import { shop } from "./menu.js";

const place = `comanda.table.${shop.store}`;
const element = make("fieldset", { "data-table-checks": true });
const notice = make("div", { class: "table-checks" });
const changed = new EventTarget();
let checks = [];
let chosen = null;

export const chosenCheck = () => (isAtKnownTable() ? chosen : null);
export const onCheckChange = (listener) => changed.addEventListener("change", listener);
export const value = () => ({});

function read() {
  const given = new URLSearchParams(location.hash.slice(1));
  try {
    if (given.has("code") || given.has("check")) {
      sessionStorage.setItem(place, JSON.stringify({ table, ...Object.fromEntries(given) }));
      history.replaceState(history.state, "", location.pathname + location.search);
    }
    const kept = JSON.parse(sessionStorage.getItem(place)) ?? {};
    return kept.table === table ? kept : {};
  } catch {
    return Object.fromEntries(given);
  }
}

async function load() {
  const { code, check: token, number } = read();
  if (token) checks = [{ token, number, takes_rounds: true }];
  else if (code) checks = await ask(code);
  chosen = checks.find((each) => each.takes_rounds) ?? null;
  if (!token) show();
  choose();
}

async function ask(code) {
  try {
    const answer = await fetch(`/s/${shop.slug}/table-checks`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ table, code }),
    });
    return answer.ok ? await answer.json() : [];
  } catch {
    return [];
  }
}

// What is open stands above the menu.
function show() {
  notice.replaceChildren(...checks.map((each) => make("section", { class: "card" },
    make("h2", {}, _("Table %(table)s has an open check", { table })),
    make("p", {}, _("Order %(number)s, since %(time)s. To pay: %(amount)s", { number: each.number, time: each.placed_at_text, amount: each.due_text })),
    make("p", {}, make("a", { class: "button", href: `/t/${each.token}` }, _("See and pay"))))));
  if (checks.length) (document.querySelector("main") ?? document.body).prepend(notice);
}

function choose() {
  const offered = checks.filter((each) => each.takes_rounds);
  element.hidden = !offered.length || !isAtKnownTable();
  element.replaceChildren(make("legend", {}, _("Which check is it for?")), make("div", { class: "pills" },
    offered.map((each) => pill({ name: "check", value: each.token, checked: each === chosen }, _("Order %(number)s of this table", { number: each.number }))),
    pill({ name: "check", value: "", checked: chosen === null }, _("A check of its own"))));
  changed.dispatchEvent(new Event("change"));
}

// Sends the lines as a round of a check. The same key is one round.
export async function addRound(check, items, key) {
  const answer = await fetch(`/api/v1/track/${check.token}/lines`, {
    method: "POST", headers: { "Content-Type": "application/json", "Idempotency-Key": key }, body: JSON.stringify({ items }),
  });
  return { status: answer.status, document: await answer.json(), isMismatch: answer.headers.has("Idempotency-Mismatch") };
}

export function render() {
  element.addEventListener("change", ({ target }) => {
    chosen = checks.find((each) => each.token === target.value) ?? null;
    changed.dispatchEvent(new Event("change"));
  });
  onModeChange(choose);
  if (table) load();
  choose();
  return element;
}
