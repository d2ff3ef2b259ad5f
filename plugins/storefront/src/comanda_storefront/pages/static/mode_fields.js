// The fields that depend on the mode: table, address, and those added by plugins.
import { gettext as _ } from "/own/texts.js";
import { isAddressField } from "./addresses.js";
import * as cart from "./cart.js";
import { make, problemFor } from "./dom.js";
import { isAtKnownTable, mode, onModeChange, room, table } from "./fulfillment.js";
import { shop } from "./menu.js";

const NAME = "fields";
const INPUT_TYPES = { datetime: "datetime-local", date: "date", time: "time", number: "number" };
const AUTOCOMPLETE = { address: "street-address", postcode: "postal-code", city: "address-level2" };
const zoned = new Intl.DateTimeFormat("sv-SE", { timeZone: shop.zone, year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" });
const element = make("div", { "data-fields": true });

const kept = () => cart.saved(NAME) ?? {};
// An address has a part of the checkout of its own.
const fieldsOf = () => (mode()?.fields ?? []).filter((field) => !isAddressField(field));
// The table is not asked for if the guest came by its code.
const isKnown = (field) => field.name === "table_number" && isAtKnownTable();

function show() {
  element.replaceChildren(...fieldsOf().filter((each) => !isKnown(each)).map(field));
}

function field(each) {
  const id = `field-${each.name}`;
  if (each.kind === "yes") {
    const box = make("input", { type: "checkbox", name: each.name, id, checked: kept()[each.name] === true });
    return make("div", { class: "field" }, make("label", { class: "option" }, box, make("span", {}, each.label)), problemFor(each.name));
  }
  if (each.kind === "choices") return list(each);
  const optional = each.required ? "" : make("span", { class: "quiet" }, ` ${_("(optional)")}`);
  return make("div", { class: "field" }, make("label", { for: id }, each.label, optional), control(each, id), problemFor(each.name));
}

// Several of a list of options, behind what is chosen of them.
function list(each) {
  const chosen = new Set(kept()[each.name] ?? []);
  const boxes = each.choices.map((one) => make("label", { class: "option" }, make("input", { type: "checkbox", value: one.value, checked: chosen.has(one.value) }), make("span", {}, one.label)));
  const names = make("span", { class: "quiet" });
  const details = make("details", { class: "field", "data-list": each.name }, make("summary", {}, each.label, names), ...boxes, problemFor(each.name));
  const name = () => {
    const found = each.choices.filter((one) => details.querySelector(`[value="${one.value}"]`).checked).map((one) => one.label);
    names.textContent = found.length ? `: ${found.join(", ")}` : "";
  };
  details.addEventListener("change", name);
  name();
  return details;
}

function control(each, id) {
  const common = { id, name: each.name, "aria-describedby": `${each.name}-problem`, "aria-required": each.required ? "true" : null };
  const value = kept()[each.name] ?? { table_number: table, room_number: room }[each.name] ?? null;
  if (each.kind === "choice") return choice(each, common, value);
  if (each.kind in INPUT_TYPES) {
    const step = each.kind === "number" ? "any" : null;
    return make("input", { ...common, type: INPUT_TYPES[each.kind], min: each.min ?? null, max: each.max ?? null, step, value });
  }
  return make("input", { ...common, maxlength: each.max_length ?? (each.name === "address" ? 500 : 255), autocomplete: AUTOCOMPLETE[each.name] ?? null, value, dir: "auto" });
}

// A list of options; with an address it is loaded from this site, as [{value, label}] or as the data of a page of them.
function choice(each, common, value) {
  const select = make("select", { ...common, "data-kind": typeof each.choices[0]?.value });
  const fill = (choices) => {
    select.replaceChildren(make("option", { value: "" }, _("Please choose")), ...choices.map((one) => make("option", { value: one.value }, one.label ?? String(one.value))));
    select.value = value ?? "";
    if (select.selectedIndex < 0) select.value = "";
  };
  fill(each.choices);
  if (each.choices_url) loadChoices(each.choices_url, select, fill);
  return select;
}

async function loadChoices(url, select, fill) {
  try {
    const answer = await fetch(url);
    const found = answer.ok ? await answer.json() : [];
    const choices = Array.isArray(found) ? found : found.data ?? [];
    select.dataset.kind = typeof choices[0]?.value;
    fill(choices);
    if (select.value) select.dispatchEvent(new Event("change", { bubbles: true }));
  } catch {
    fill([]);
  }
}

// The value of a control as the order's body has it; undefined if it is empty.
function valueOf(control) {
  if (control.type === "checkbox") return control.checked;
  const text = control.value.trim();
  if (!text) return undefined;
  if (control.type === "number" || control.dataset.kind === "number") return Number(text);
  return control.type === "datetime-local" ? toInstant(text) : text;
}

// A local time without an offset is one of the store's time zone.
function toInstant(local) {
  const asUtc = new Date(`${local.slice(0, 16)}:00Z`);
  const shown = new Date(`${zoned.format(asUtc).replace(" ", "T")}Z`);
  return new Date(asUtc.getTime() - (shown - asUtc)).toISOString();
}

const lists = () => [...element.querySelectorAll("[data-list]")].map((each) => {
  const chosen = [...each.querySelectorAll("input:checked")].map((box) => box.value);
  return [each.dataset.list, chosen.length ? chosen : undefined];
});

const controls = () => [...element.querySelectorAll("[name]")];

export function value() {
  const known = fieldsOf().filter(isKnown).map((each) => [each.name, table]);
  return Object.fromEntries([...known, ...controls().map((each) => [each.name, valueOf(each)]), ...lists()]);
}

function keep() {
  const now = controls().map((each) => [each.name, each.type === "checkbox" ? each.checked : each.value]);
  cart.keep(NAME, { ...kept(), ...Object.fromEntries([...now, ...lists()]) });
}

export function render() {
  show();
  onModeChange(show);
  element.addEventListener("input", keep);
  element.addEventListener("change", keep);
  return element;
}
