// The account: signing in, and for who is signed in their name, past orders, addresses, and signing out.
import { gettext as _ } from "/own/texts.js";
import { customer, hasAccounts, onAccount, rename, signOut } from "./account.js";
import { addressBook } from "./address_book.js";
import * as cart from "./cart.js";
import { closeButton, make, own } from "./dom.js";
import { shop } from "./menu.js";
import { hide, isShown, register } from "./overlays.js";
import { showOrders } from "./past_orders.js";
import { pointsPart } from "./reward.js";
import { forget, settle } from "./saved_cart.js";
import { sentenceOf, signInForm } from "./sign_in.js";

const title = make("h2", { id: "account-title", tabindex: -1 });
const content = make("div", { class: "account" });
const said = make("p", { class: "said", role: "status" });
const dialog = make("dialog", { id: "account", class: "sheet drawer", "aria-labelledby": title.id },
  make("div", { class: "sheet-head" }, title, closeButton(hide)), said, content);
let shown;

function showAccount() {
  const known = customer();
  if (shown === (known?.id ?? null)) return;
  shown = known?.id ?? null;
  title.textContent = known ? _("Your account") : _("Sign in");
  content.replaceChildren(...(known ? accountParts(known) : [signInForm(welcome)]));
}

// The page behind the dialog is neither seen nor read out.
function tell(text) {
  said.textContent = text;
}

// Whoever signed in on the way to an order goes on with it.
async function welcome() {
  const name = customer().name;
  tell(name ? _("Welcome back, %(name)s.", { name }) : _("You are signed in."));
  if (isShown("order")) await hide();
  else title.focus();
}

function accountParts(known) {
  const orders = make("ul", { class: "plain-list", "aria-labelledby": "account-orders" });
  showOrders(orders, tell);
  const connections = make("div");
  if (shop.assistants) import("./connections.js").then(({ connectionsPart }) => connections.append(connectionsPart(tell)));
  return [
    nameForm(known),
    pointsPart(),
    make("section", {}, make("h3", { id: "account-orders" }, _("Past orders")), orders),
    make("section", {}, make("h3", {}, _("Addresses")), addressBook()),
    connections,
    make("p", { class: "sign-out" }, make("button", { type: "button", class: "plain wide", onclick: leave }, _("Sign out"))),
  ];
}

function nameForm(known) {
  const input = make("input", { id: "account-name", autocomplete: "name", maxlength: 255, dir: "auto", value: known.name ?? "", "aria-describedby": "account-name-problem" });
  const problem = make("p", { class: "problem", id: "account-name-problem", role: "alert" });
  return make("form", { novalidate: true, onsubmit: async (event) => {
    event.preventDefault();
    const { status, document } = await rename(input.value);
    problem.textContent = status === 200 ? "" : sentenceOf(status, document, "name");
    if (status === 200) tell(_("Your name is saved."));
  } },
  make("p", { class: "quiet" }, own(known.phone ?? known.email ?? "", { dir: "ltr" })),
  make("div", { class: "field" }, make("label", { for: "account-name" }, _("Name")),
    make("div", { class: "row joined" }, input, make("button", { type: "submit", class: "plain" }, _("Save"))), problem));
}

// The cart stays in the account; nothing of the guest stays in this browser.
async function leave() {
  await settle();
  if (!(await signOut())) {
    tell(_("There is no connection. Try again."));
    return;
  }
  forget();
  cart.empty();
  history.replaceState({}, "");
  location.reload();
}

if (hasAccounts) {
  document.body.append(dialog);
  register("account", dialog, { open: () => { shown = undefined; tell(""); showAccount(); } });
  onAccount(() => { if (dialog.open) showAccount(); });
}
