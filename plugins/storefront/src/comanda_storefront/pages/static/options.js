// The options of an item: its variations and groups of extras, with their rules.
import { gettext as _, ngettext } from "/own/texts.js";
import { make, own } from "./dom.js";
import { money, shop } from "./menu.js";
import { axesOf, pickerOf } from "./variant_picker.js";

// Returns the fieldsets for an item's options, chosen as in `line`.
export function optionsOf(details, line) {
  return [...(details.variations.length ? [variations(details, line)] : []), ...details.groups.map((each, position) => group(each, position, line))];
}

function variations(details, line) {
  const free = details.variations.filter((each) => !each.gone);
  const chosen = free.find((each) => each.id === line.variation) ?? free[0];
  // A single variation is no choice.
  if (details.variations.length === 1 && chosen) return onlyVariation(chosen);
  const names = axesOf(details.variations);
  if (names.length) return pickerOf(details.variations, names, chosen);
  return make("fieldset", { class: "options" }, make("legend", {}, _("Choose one")), details.variations.map((each) =>
    option(make("input", { type: "radio", name: "variation", value: each.id, checked: each === chosen, disabled: each.gone }), each, money(each.price))));
}

function onlyVariation(each) {
  return make("div", { class: "options" },
    make("input", { type: "radio", name: "variation", value: each.id, checked: true, hidden: true }),
    make("p", { class: "row" }, make("span", {}, own(each.name)), make("span", { class: "price" }, money(each.price)),
      each.left ? make("span", { class: "badge warn" }, ngettext("Only %(num)s left", "Only %(num)s left", each.left)) : ""));
}

function group(each, position, line) {
  const left = [...line.extras];
  const take = (id) => {
    const place = left.indexOf(id);
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  };
  const control = (extra) => {
    const name = `group-${position}`;
    if (each.repeats) {
      let count = 0;
      while (!extra.gone && take(extra.id)) count += 1;
      return make("input", { type: "number", name, "data-extra": extra.id, min: 0, max: each.max ?? shop.limits.quantity, value: count, inputmode: "numeric", disabled: extra.gone });
    }
    return make("input", { type: isOne(each) ? "radio" : "checkbox", name, value: extra.id, checked: !extra.gone && take(extra.id), disabled: extra.gone });
  };
  const problem = make("p", { class: "problem", id: `group-${position}-problem`, role: "alert" });
  return make("fieldset", { class: "options", "data-group": position, "aria-describedby": problem.id },
    make("legend", {}, own(each.name), make("span", { class: each.min ? "badge" : "quiet" }, each.rule)), problem,
    each.extras.map((extra) => option(control(extra), extra, extra.price ? `+${money(extra.price)}` : "")));
}

const isOne = (group) => group.max === 1 && group.min === 1;

function option(control, each, price) {
  const facts = each.facts ? make("small", { class: "quiet" }, each.facts) : "";
  const name = make("span", {}, own(each.name), each.gone ? ` ${_("(sold out)")}` : "", facts);
  return make("label", { class: "option" }, control, name, make("span", { class: "price" }, price));
}

function chosenIn(form, position) {
  return [...form.querySelectorAll(`[name="group-${position}"]`)].flatMap((control) => {
    if (control.type !== "number") return control.checked ? [Number(control.value)] : [];
    const number = Math.min(Math.max(Math.trunc(Number(control.value)) || 0, 0), shop.limits.quantity);
    return Array(number).fill(Number(control.dataset.extra));
  });
}

export function chosen(form, details) {
  const variation = form.querySelector('[name="variation"]:checked');
  return {
    variation: variation ? Number(variation.value) : null,
    extras: details.groups.flatMap((each, position) => chosenIn(form, position)),
  };
}

// Shows the error of each group at it, and returns the first group with one.
export function firstWrong(form, details) {
  const wrong = details.groups.map((each, position) => {
    const problem = ruleBroken(each, chosenIn(form, position).length);
    form.querySelector(`#group-${position}-problem`).textContent = problem;
    return problem ? form.querySelector(`[data-group="${position}"]`) : null;
  });
  return wrong.find(Boolean) ?? null;
}

function ruleBroken(group, count) {
  if (count < group.min) return ngettext("Required: choose one.", "Required: choose at least %(num)s.", group.min);
  if (group.max !== null && count > group.max) return ngettext("Choose at most %(num)s.", "Choose at most %(num)s.", group.max);
  return "";
}
