// The dialog for an item's options: variation, extras, quantity and note.
import { gettext as _, ngettext } from "/own/texts.js";
import * as cart from "./cart.js";
import { hasChoices, make, money, shop, unitPrice } from "./menu.js";

const dialog = document.getElementById("choice");
const form = dialog.querySelector("form");
let item = null;
let quantity = 1;

function choose(chosen) {
  item = chosen;
  quantity = 1;
  form.replaceChildren(
    make("div", { class: "dialog-head" },
      make("h2", { id: "choice-title" }, item.name),
      make("button", { type: "button", class: "plain compact", onclick: () => dialog.close() }, _("Close"))),
    ...(item.variations.length ? [variations()] : []),
    ...item.groups.map(group),
    make("div", { class: "field" },
      make("label", { for: "line-note" }, _("Note"), " ", make("span", { class: "quiet" }, _("(optional)"))),
      make("input", { id: "line-note", maxlength: 500, autocomplete: "off" })),
    make("p", { class: "problem", role: "alert", "data-problem": true }),
    make("div", { class: "foot" }, stepper(), make("button", { type: "submit", "data-submit": true })),
  );
  show();
  dialog.showModal();
}

function variations() {
  const first = item.variations.find((each) => !each.gone);
  return make("fieldset", {}, make("legend", {}, _("Choose one")), ...item.variations.map((each) =>
    option(make("input", { type: "radio", name: "variation", value: each.id, checked: each === first, disabled: each.gone }), each, money(each.price))));
}

function group(each, position) {
  const control = (extra) => {
    if (each.repeats) {
      return make("input", { type: "number", name: `group-${position}`, "data-extra": extra.id, min: 0, max: each.max ?? shop.limits.quantity, value: 0, inputmode: "numeric", disabled: extra.gone });
    }
    const isOne = each.max === 1 && each.min === 1;
    return make("input", { type: isOne ? "radio" : "checkbox", name: `group-${position}`, value: extra.id, disabled: extra.gone });
  };
  const problem = make("p", { class: "problem", id: `group-${position}-problem`, role: "alert" });
  return make("fieldset", { "data-group": position, "aria-describedby": problem.id },
    make("legend", {}, each.name, " ", make("span", { class: "quiet" }, `(${each.rule})`)),
    ...each.extras.map((extra) => option(control(extra), extra, extra.price ? `+${money(extra.price)}` : "")), problem);
}

function option(control, each, price) {
  return make("label", { class: "option" }, control, make("span", {}, each.name, each.gone ? " " : "", each.gone ? _("(sold out)") : ""), make("span", { class: "price" }, price));
}

function stepper() {
  const change = (step) => () => {
    quantity = Math.min(Math.max(quantity + step, 1), shop.limits.quantity);
    show();
  };
  return make("div", { class: "stepper" },
    make("button", { type: "button", class: "plain compact", "aria-label": _("One less"), onclick: change(-1) }, "−"),
    make("output", { "data-quantity": true, "aria-label": _("Quantity") }),
    make("button", { type: "button", class: "plain compact", "aria-label": _("One more"), onclick: change(1) }, "+"));
}

function chosenIn(position) {
  return [...form.querySelectorAll(`[name="group-${position}"]`)].flatMap((control) => {
    if (control.type !== "number") return control.checked ? [Number(control.value)] : [];
    const number = Math.min(Math.max(Math.trunc(Number(control.value)) || 0, 0), shop.limits.quantity);
    return Array(number).fill(Number(control.dataset.extra));
  });
}

function line() {
  const variation = form.querySelector('[name="variation"]:checked');
  return {
    item: item.id,
    variation: variation ? Number(variation.value) : null,
    extras: item.groups.flatMap((group, position) => chosenIn(position)),
    quantity,
    note: form.querySelector("#line-note").value.trim(),
  };
}

function show() {
  form.querySelector("[data-quantity]").textContent = quantity;
  form.querySelector("[data-submit]").textContent = _("Add · %(price)s", { price: money(unitPrice(line()) * quantity) });
}

// Shows the error of each group, and returns whether there is any.
function isWrong() {
  const wrong = item.groups.filter((each, position) => {
    const count = chosenIn(position).length;
    const problem = form.querySelector(`#group-${position}-problem`);
    if (count < each.min) problem.textContent = ngettext("Choose at least %(num)s.", "Choose at least %(num)s.", each.min);
    else if (each.max !== null && count > each.max) problem.textContent = ngettext("Choose at most %(num)s.", "Choose at most %(num)s.", each.max);
    else problem.textContent = "";
    return problem.textContent;
  });
  if (wrong.length) form.querySelector(`[name="group-${item.groups.indexOf(wrong[0])}"]`)?.focus();
  return wrong.length > 0;
}

form.addEventListener("input", show);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const problem = form.querySelector("[data-problem]");
  problem.textContent = item.variations.length && !line().variation ? _("Every variation is sold out.") : "";
  if (problem.textContent || isWrong()) return;
  problem.textContent = cart.add(line());
  if (!problem.textContent) {
    dialog.close();
    taken(item);
  }
});

const told = document.querySelector("[data-found]");

function taken(chosen) {
  told.textContent = _("%(item)s is in your order.", { item: chosen.name });
}

// Adds an item without options at once, and opens the dialog for any other.
export function take(chosen) {
  if (hasChoices(chosen)) {
    choose(chosen);
    return;
  }
  const problem = cart.add({ item: chosen.id, variation: null, extras: [], quantity: 1, note: "" });
  if (problem) told.textContent = problem;
  else taken(chosen);
}
