// The address of a delivery or shipment: one that is saved in the account, or a new one.
import { gettext as _ } from "/own/texts.js";
import { addresses, customer, onAccount, saveAddress } from "./account.js";
import { addressFields, toLine, toSaved } from "./address_fields.js";
import * as cart from "./cart.js";
import { make, own, problemFor } from "./dom.js";
import { mode, onModeChange } from "./fulfillment.js";

const NAME = "address";
const NEW = "new";
const LAT = "address_lat";
const LNG = "address_lng";
const INSTRUCTIONS = "address_instructions";
const POSTCODE = "address_postcode";
const FIELDS = new Set([NAME, LAT, LNG, POSTCODE, INSTRUCTIONS]);
const SAVING_MS = 3000;
const element = make("fieldset", { "data-address": true });
const fields = addressFields("order", problemFor(NAME));
const instructions = make("input", { id: "order-instructions", name: INSTRUCTIONS, maxlength: 500, dir: "auto", autocomplete: "off", "aria-describedby": `${INSTRUCTIONS}-problem` });
const label = make("input", { id: "order-label", maxlength: 100, dir: "auto", autocomplete: "off", placeholder: _("Home") });
const saving = make("input", { type: "checkbox", id: "order-save" });
const located = make("p", { class: "quiet", role: "status" });
const choices = make("div", { class: "choices" });
let state = { chosen: null, parts: {}, instructions: "", position: null, isSaved: true, label: "", ...cart.saved(NAME) };

// The fields of a mode that this part of the checkout asks for.
export const isAddressField = (field) => FIELDS.has(field.name);
const has = (name) => mode()?.fields.some((field) => field.name === name) ?? false;
const chosen = () => addresses().find((each) => each.id === state.chosen);

export function isFilled() {
  return Boolean(chosen() || fields.read().line1);
}

export function value() {
  if (!has(NAME)) return {};
  const saved = chosen();
  const position = saved ? [saved.lat, saved.lng] : state.position ?? [null, null];
  const found = { [NAME]: (saved ? saved.address : toLine(fields.read())) || undefined };
  if (has(LAT) && position[0] !== null) Object.assign(found, { [LAT]: position[0], [LNG]: position[1] });
  if (has(POSTCODE)) found[POSTCODE] = (saved ? saved.postcode : fields.read().postcode) || undefined;
  if (has(INSTRUCTIONS)) found[INSTRUCTIONS] = instructions.value.trim() || undefined;
  return found;
}

function keep(change) {
  state = { ...state, ...change };
  cart.keep(NAME, state);
}

// The default address, unless the guest has begun another one or chosen one before.
function choose() {
  if (chosen() || state.chosen === NEW) return;
  const first = fields.read().line1 ? null : addresses().find((each) => each.is_default) ?? addresses()[0];
  state.chosen = first?.id ?? null;
  if (first) take(first);
}

function take(address) {
  instructions.value = address?.instructions ?? "";
  keep({ chosen: address?.id ?? NEW, instructions: instructions.value });
}

function showChoices() {
  const option = (id, ...texts) => make("label", { class: "option" },
    make("input", { type: "radio", name: "saved_address", value: id, checked: (state.chosen ?? NEW) === id }), make("span", {}, ...texts));
  choices.replaceChildren(...addresses().map((each) => option(each.id, each.label ? make("b", {}, own(each.label)) : "", each.label ? make("br") : "", own(each.address))),
    option(NEW, _("Another address")));
  choices.hidden = !addresses().length;
}

function show() {
  element.hidden = !has(NAME);
  if (element.hidden) return;
  choose();
  showChoices();
  const isNew = !chosen();
  const title = mode().delivery ? _("Where should we deliver?") : _("Where should we ship?");
  const kept = element.contains(document.activeElement) ? document.activeElement : null;
  element.replaceChildren(make("legend", {}, title), choices, fields.element,
    make("div", { class: "field", hidden: !has(INSTRUCTIONS) }, make("label", { for: instructions.id }, _("Instructions for the driver"), make("span", { class: "quiet" }, ` ${_("(optional)")}`)), instructions, problemFor(INSTRUCTIONS)),
    make("div", { class: "save", hidden: !isNew || !customer() },
      make("label", { class: "option" }, saving, make("span", {}, _("Save this address"))),
      make("div", { class: "field", hidden: !saving.checked }, make("label", { for: label.id }, _("Name of the address"), make("span", { class: "quiet" }, ` ${_("(optional)")}`)), label)));
  // What went wrong stands below the choice when the fields are not shown.
  for (const part of fields.element.children) part.hidden = !isNew && !part.classList.contains("problem");
  if (isNew && has(LAT) && "geolocation" in navigator && isSecureContext) fields.element.after(locate(), located);
  kept?.focus();
}

// The fee of many stores depends on the distance, which an address in words does not tell.
function locate() {
  return make("button", { type: "button", class: "link locate", onclick: () => {
    located.textContent = _("Finding where you are …");
    navigator.geolocation.getCurrentPosition(({ coords }) => {
      keep({ position: [coords.latitude, coords.longitude] });
      located.textContent = _("The fee is that of where you are now.");
      element.dispatchEvent(new Event("change", { bubbles: true }));
    }, () => { located.textContent = _("Your position is not available."); });
  } }, _("Use my location"));
}

// Saves a new address once the order is placed.
export async function placed() {
  if (!has(NAME) || !customer() || chosen() || !saving.checked) return;
  const [lat, lng] = state.position ?? [];
  await saveAddress({ ...toSaved(fields.read()), ...(label.value.trim() ? { label: label.value.trim() } : {}),
    ...(instructions.value.trim() ? { instructions: instructions.value.trim() } : {}), ...(lat === undefined ? {} : { lat, lng }) },
  { signal: AbortSignal.timeout(SAVING_MS) });
}

export function render() {
  fields.fill(state.parts);
  [instructions.value, label.value, saving.checked] = [state.instructions, state.label, state.isSaved];
  show();
  onModeChange(show);
  onAccount(() => {
    show();
    if (!element.hidden) element.dispatchEvent(new Event("change", { bubbles: true }));
  });
  element.addEventListener("input", (event) => {
    // Another street is another place.
    const position = event.target.dataset.part ? null : state.position;
    if (event.target.dataset.part) located.textContent = "";
    keep({ parts: fields.read(), instructions: instructions.value, label: label.value, isSaved: saving.checked, position });
  });
  element.addEventListener("change", (event) => {
    if (event.target === saving) show();
    if (event.target.name !== "saved_address") return;
    take(addresses().find((each) => String(each.id) === event.target.value));
    show();
    element.querySelector('[name="saved_address"]:checked').focus();
  });
  return element;
}
