// A coupon: applied with a button, which says what it takes off, or why it does not.
import { gettext as _ } from "/own/texts.js";
import * as cart from "./cart.js";
import { make, own, problemFor } from "./dom.js";
import { shop } from "./menu.js";
import { ask, onQuote, quoted } from "./quote.js";

const NAME = "coupon";
const element = make("div", { class: "field coupon", "data-coupon": true });
const input = make("input", { id: "coupon_code", name: "coupon_code", autocomplete: "off", autocapitalize: "characters", maxlength: 32, "aria-describedby": "coupon_code-problem", enterkeyhint: "done" });
const unfold = make("button", { type: "button", class: "link", "aria-expanded": "false", onclick: open }, _("Add a coupon"));
const apply = make("button", { type: "button", class: "plain", onclick: () => send() }, _("Apply"));
const problem = problemFor("coupon_code");
const box = make("div", {}, make("label", { for: "coupon_code" }, _("Coupon")), make("div", { class: "row joined" }, input, apply), problem);
const applied = make("p", { class: "settled", role: "status" });
let code = cart.saved(NAME) ?? "";

problem.setAttribute("role", "alert");

export const value = () => ({ coupon_code: code || undefined });

function setCode(text) {
  code = text;
  cart.keep(NAME, code);
}

function open() {
  show({ isOpen: true });
  input.focus();
}

function send() {
  const text = input.value.trim();
  problem.textContent = text ? "" : _("Enter the code of your coupon.");
  if (!text) {
    input.focus();
    return;
  }
  setCode(text);
  ask();
}

function remove() {
  setCode("");
  input.value = "";
  show({ isOpen: false });
  unfold.focus();
  ask();
}

function show({ isOpen }) {
  applied.replaceChildren();
  unfold.setAttribute("aria-expanded", isOpen);
  element.replaceChildren(...(isOpen ? [box] : [unfold]), applied);
}

// A coupon that is refused is left out of the order, and the guest reads why.
function update() {
  const document = quoted();
  if (!document || !code) return;
  const refused = document.problems.coupon_code;
  if (refused) {
    input.value = code;
    setCode("");
    show({ isOpen: true });
    problem.textContent = refused.join(" ");
    ask();
  } else if (document.coupon) {
    const hadFocus = element.contains(window.document.activeElement);
    const button = make("button", { type: "button", class: "link", "aria-label": _("Remove the coupon"), onclick: remove }, _("Remove"));
    problem.textContent = "";
    applied.replaceChildren(make("b", {}, own(document.coupon.code)), make("span", { class: "badge good" }, document.coupon.text), button);
    element.replaceChildren(applied);
    if (hadFocus) button.focus();
  }
}

export function render() {
  element.hidden = !shop.coupons;
  show({ isOpen: false });
  onQuote(update);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    send();
  });
  return element;
}
