// Variations that differ in named options, such as size and colour: a row of buttons for each option.
import { gettext as _, ngettext } from "/own/texts.js";
import { make, own, pill } from "./dom.js";
import { money } from "./menu.js";

// Returns the names of the options if every variation has the same ones and no two are alike, else nothing.
export function axesOf(variations) {
  const names = Object.keys(variations[0]?.options ?? {});
  const isSame = variations.every((each) => Object.keys(each.options ?? {}).join("\n") === names.join("\n"));
  const values = new Set(variations.map((each) => JSON.stringify(names.map((name) => each.options?.[name]))));
  return names.length && isSame && values.size === variations.length ? names : [];
}

const titled = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// Returns the picker: a fieldset for each option, the price and the stock of the choice, and the chosen variation as an
// input of its own, which the form reads.
export function pickerOf(variations, names, chosen) {
  const input = make("input", { type: "radio", name: "variation", value: chosen?.id, checked: Boolean(chosen), hidden: true });
  const state = make("p", { class: "row", role: "status" });
  let current = chosen ?? variations[0];
  const rows = names.map((name, position) => make("fieldset", { class: "options axis", "data-axis": position }, make("legend", {}, own(titled(name)))));
  const matching = (changes) => variations.find((each) => names.every((name) => each.options[name] === (changes[name] ?? current.options[name])));
  // The variation with a value, which keeps the other options if it can be had with them.
  const pick = (name, value) => {
    const exact = matching({ [name]: value });
    if (exact && !exact.gone) return exact;
    return variations.find((each) => !each.gone && each.options[name] === value) ?? null;
  };

  function show() {
    rows.forEach((row, position) => {
      const name = names[position];
      const values = [...new Set(variations.map((each) => each.options[name]))];
      row.replaceChildren(row.firstElementChild, make("div", { class: "pills" }, values.map((value) => {
        const exact = matching({ [name]: value });
        const isGone = !pick(name, value);
        const isUnavailable = !exact || exact.gone;
        const reason = isGone ? _("(sold out)") : _("(not with this choice)");
        const label = pill({ name: `axis-${position}`, value, checked: value === current.options[name] },
          own(titled(value)), isUnavailable ? make("span", { class: "unseen" }, ` ${reason}`) : "");
        label.classList.toggle("unavailable", isUnavailable);
        label.querySelector("input").disabled = isGone;
        return label;
      })));
    });
    input.value = current.id;
    state.replaceChildren(make("span", { class: "price" }, money(current.price)),
      ...(current.left ? [make("span", { class: "badge warn" }, ngettext("Only %(num)s left", "Only %(num)s left", current.left))] : []));
  }

  for (const [position, row] of rows.entries()) {
    row.addEventListener("change", (event) => {
      const found = pick(names[position], event.target.value);
      if (!found) return;
      current = found;
      show();
      row.querySelector("input:checked")?.focus();
    });
  }
  show();
  return make("div", { class: "variant-picker" }, rows, input, state);
}
