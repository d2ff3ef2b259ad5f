// Who orders, and what the store should know.
import { gettext as _ } from "/own/texts.js";
import * as cart from "./cart.js";
import { make, problemFor } from "./dom.js";
import { mode, onModeChange } from "./fulfillment.js";

const NAME = "contact";
const FIELDS = ["customer_name", "phone", "note"];
const element = make("div", { "data-contact": true });
const optional = {};

function field(name, label, control) {
  optional[name] = make("span", { class: "quiet" }, ` ${_("(optional)")}`);
  control.id = name;
  control.setAttribute("name", name);
  control.setAttribute("aria-describedby", `${name}-problem`);
  control.value = cart.saved(NAME)?.[name] ?? "";
  return make("div", { class: "field" }, make("label", { for: name }, label, optional[name]), control, problemFor(name));
}

const controls = () => FIELDS.map((name) => element.querySelector(`[name="${name}"]`));

export const value = () => Object.fromEntries(controls().map((each) => [each.name, each.value.trim() || undefined]));

function showRequired() {
  for (const control of controls()) {
    const isRequired = mode()?.required.includes(control.name) ?? false;
    optional[control.name].hidden = isRequired;
    control.setAttribute("aria-required", isRequired);
  }
}

// Fills in what is known of the guest where they have entered nothing themselves.
export function fill(known) {
  for (const control of controls()) {
    if (!control || control.value || !known[control.name]) continue;
    control.value = known[control.name];
    control.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

export function render() {
  element.append(
    field("customer_name", _("Name"), make("input", { autocomplete: "name", maxlength: 255, dir: "auto" })),
    field("phone", _("Phone"), make("input", { type: "tel", autocomplete: "tel", maxlength: 50 })),
    field("note", _("Note for the store"), make("textarea", { rows: 2, maxlength: 2000, dir: "auto" })));
  element.addEventListener("input", () => cart.keep(NAME, Object.fromEntries(controls().map((each) => [each.name, each.value]))));
  showRequired();
  onModeChange(showRequired);
  return element;
}
