// The dialog for the variation, weight, extras and note of a line.
import { gettext as _, describeFacts, ngettext } from "/own/texts.js";
import { make } from "/own/dom.js";
import { field } from "./line_options.js";
import { money } from "./session.js";

const dialog = document.querySelector("[data-choice]");

export const hasChoices = (item) => item.variations.length > 0 || item.extra_groups.length > 0 || Boolean(item.is_priced_per_kg);

// Asks for the options of an item, of which `variation` is chosen already; resolves to {variation, extras, note,
// weight_g}, or to null if the dialog is closed.
export function askOptions(item, variation) {
  return new Promise((resolve) => {
    const form = make("form", { novalidate: true },
      make("h2", { id: "choice-title", dir: "auto" }, item.name),
      describeFacts(item).map((each) => make("p", { class: "quiet" }, each)),
      item.variations.length ? variationChoice(item, variation) : null,
      item.is_priced_per_kg ? field("line-weight", _("Weight in grams"), { type: "number", min: 1, max: 1_000_000, step: "any", inputmode: "numeric", value: item.usual_weight_g ?? "" }) : null,
      item.extra_groups.map(groupChoice),
      make("div", { class: "field" }, make("label", { for: "line-note" }, _("Note")), make("input", { id: "line-note", maxlength: 500, autocomplete: "off", dir: "auto" })),
      make("p", { class: "problem", role: "alert" }),
      make("div", { class: "row" },
        make("button", { type: "button", class: "plain", onclick: () => dialog.close() }, _("Cancel")),
        make("button", { type: "submit" }, _("Add"))));
    let answer = null;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const problem = findProblem(form, item);
      form.querySelector(".problem").textContent = problem;
      if (problem) return;
      answer = read(form, item);
      dialog.close();
    });
    dialog.replaceChildren(form);
    dialog.addEventListener("close", () => resolve(answer), { once: true });
    dialog.showModal();
  });
}

function variationChoice(item, chosen) {
  const offered = item.variations.filter((each) => each.is_active !== false);
  const first = offered.find((each) => each.id === chosen?.id && !each.is_sold_out) ?? offered.find((each) => !each.is_sold_out);
  return make("fieldset", {}, make("legend", {}, _("Choose one")), offered.map((each) =>
    option({ type: "radio", name: "variation", value: each.id, checked: each === first, disabled: each.is_sold_out }, each, money(each.price))));
}

function groupChoice(group, position) {
  const rule = group.min ? ngettext("at least %(num)s", "at least %(num)s", group.min) : _("optional");
  const type = group.min === 1 && group.max === 1 ? "radio" : "checkbox";
  return make("fieldset", {}, make("legend", { dir: "auto" }, `${group.name} (${rule})`), group.extras.map((each) =>
    option({ type, name: `group-${position}`, value: each.id, disabled: each.is_sold_out }, each, each.price ? `+${money(each.price)}` : "")));
}

function option(attributes, each, price) {
  return make("label", { class: "option" }, make("input", attributes), make("span", { dir: "auto" }, each.name), make("span", { class: "price" }, price));
}

const chosenIn = (form, position) => [...form.querySelectorAll(`[name="group-${position}"]:checked`)].map((input) => Number(input.value));

const weightIn = (form) => Number(form.querySelector("#line-weight").value);

function findProblem(form, item) {
  if (item.variations.length && !form.querySelector('[name="variation"]:checked')) return _("Every variation is sold out.");
  if (item.is_priced_per_kg && !(weightIn(form) > 0)) return _("Enter the weight in grams.");
  for (const [position, group] of item.extra_groups.entries()) {
    const count = chosenIn(form, position).length;
    if (count < group.min) return _("%(group)s: choose at least %(number)s.", { group: group.name, number: group.min });
    if (group.max !== null && count > group.max) return _("%(group)s: choose at most %(number)s.", { group: group.name, number: group.max });
  }
  return "";
}

function read(form, item) {
  const variation = form.querySelector('[name="variation"]:checked');
  return {
    variation: variation ? Number(variation.value) : null,
    extras: item.extra_groups.flatMap((group, position) => chosenIn(form, position)),
    note: form.querySelector("#line-note").value.trim(),
    weight_g: item.is_priced_per_kg ? weightIn(form) : null,
  };
}
