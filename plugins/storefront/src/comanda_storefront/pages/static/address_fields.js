// The fields of an address, in one line as orders have it and in parts as accounts keep it.
import { gettext as _ } from "/own/texts.js";
import { make, problemFor } from "./dom.js";

const PARTS = ["line1", "line2", "postcode", "city"];

// Returns the element, and functions to read and fill it. `name` begins the ids; errors of an order are shown at `address`.
export function addressFields(name, problem = problemFor(`${name}-address`)) {
  const control = (part, attributes) => make("input", { id: `${name}-${part}`, "data-part": part, dir: "auto", "aria-describedby": problem.id, ...attributes });
  const field = (part, label, attributes, isOptional = false) => make("div", { class: "field" },
    make("label", { for: `${name}-${part}` }, label, isOptional ? make("span", { class: "quiet" }, ` ${_("(optional)")}`) : ""), control(part, attributes));
  const element = make("div", { class: "address-fields" },
    field("line1", _("Street and number"), { autocomplete: "address-line1", maxlength: 255, name: name === "order" ? "address" : null, "aria-required": "true" }),
    field("line2", _("Apartment, floor"), { autocomplete: "address-line2", maxlength: 150 }, true),
    make("div", { class: "beside" },
      field("postcode", _("Postcode"), { autocomplete: "postal-code", maxlength: 20 }),
      field("city", _("City"), { autocomplete: "address-level2", maxlength: 60 })),
    problem);
  const find = (part) => element.querySelector(`[data-part="${part}"]`);
  const read = () => Object.fromEntries(PARTS.map((part) => [part, find(part).value.trim()]));
  return {
    element,
    read,
    fill: (parts) => PARTS.forEach((part) => { find(part).value = parts?.[part] ?? ""; }),
    focus: () => find("line1").focus(),
  };
}

// An address in one line.
export function toLine({ line1, line2, postcode, city }) {
  return [line1, line2, [postcode, city].filter(Boolean).join(" ")].filter(Boolean).join(", ");
}

// The parts that are filled in, for the account.
export const toSaved = (parts) => Object.fromEntries(Object.entries(parts).filter(([, text]) => text));
