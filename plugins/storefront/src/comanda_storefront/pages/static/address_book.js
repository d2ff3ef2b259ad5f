// The saved addresses of the account.
import { gettext as _ } from "/own/texts.js";
import { addresses, changeAddress, deleteAddress, saveAddress } from "./account.js";
import { addressFields, toSaved } from "./address_fields.js";
import { make, own } from "./dom.js";
import { sentenceOf } from "./sign_in.js";

// Returns the list of addresses with a form to add one.
export function addressBook() {
  const list = make("ul", { class: "plain-list" });
  const add = make("button", { type: "button", class: "plain", onclick: () => open(true) }, _("Add an address"));
  const fields = addressFields("account", make("p", { class: "problem", id: "account-problem", role: "alert" }));
  const label = make("input", { id: "account-label", maxlength: 100, dir: "auto", placeholder: _("Home") });
  const instructions = make("input", { id: "account-instructions", maxlength: 500, dir: "auto" });
  const form = make("form", { novalidate: true, hidden: true, onsubmit: save }, fields.element,
    field(instructions, _("Instructions for the driver")), field(label, _("Name of the address")),
    make("div", { class: "row joined" }, make("button", { type: "submit" }, _("Save address")),
      make("button", { type: "button", class: "plain", onclick: () => open(false) }, _("Cancel"))));

  function field(control, text) {
    return make("div", { class: "field" }, make("label", { for: control.id }, text, make("span", { class: "quiet" }, ` ${_("(optional)")}`)), control);
  }

  function open(isOpen) {
    form.hidden = !isOpen;
    add.hidden = isOpen;
    (isOpen ? fields : add).focus();
  }

  async function save(event) {
    event.preventDefault();
    const problem = fields.element.querySelector(".problem");
    const extra = toSaved({ label: label.value.trim(), instructions: instructions.value.trim() });
    const parts = fields.read();
    problem.textContent = parts.line1 ? "" : _("Enter the street and number.");
    if (!parts.line1) return fields.focus();
    const { status, document } = await saveAddress({ ...toSaved(parts), ...extra });
    if (status !== 201) {
      problem.textContent = sentenceOf(status, document, "line1");
      return fields.focus();
    }
    fields.fill({});
    [label.value, instructions.value] = ["", ""];
    show();
    return open(false);
  }

  function itemOf(address) {
    const name = address.label ?? address.address;
    return make("li", {},
      make("p", {}, address.label ? make("b", {}, own(address.label)) : "", address.label ? " " : "", address.is_default ? make("span", { class: "badge" }, _("Default")) : ""),
      make("p", {}, own(address.address)),
      address.instructions ? make("p", { class: "quiet" }, own(address.instructions)) : null,
      make("p", { class: "row start" },
        address.is_default ? null : make("button", { type: "button", class: "link", "aria-label": _("Use %(address)s by default", { address: name }), onclick: () => act(changeAddress(address.id, { is_default: true })) }, _("Use by default")),
        make("button", { type: "button", class: "link", "aria-label": _("Delete %(address)s", { address: name }), onclick: () => act(deleteAddress(address.id)) }, _("Delete"))));
  }

  async function act(change) {
    await change;
    show();
    add.focus();
  }

  function show() {
    list.replaceChildren(...(addresses().length ? addresses().map(itemOf) : [make("li", { class: "quiet" }, _("No address is saved yet."))]));
  }

  show();
  return make("div", { class: "address-book" }, list, add, form);
}
