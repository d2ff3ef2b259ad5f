// Changes of an open check: void and note of its lines, another table, and what is split off or merged.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { findOpen, nameOf } from "./open_orders.js";
import { sendOnce } from "./requests.js";
import { money, session } from "./session.js";

const sheet = document.querySelector("[data-change]");
const approval = document.querySelector("[data-approval]");

// Returns the buttons of an open check; none of a paid one. `changed()` is called after each change.
export function changeButtons(order, { addItems, changed, tell }) {
  if (order.amount_due <= 0) return [];
  const button = (text, onclick) => make("button", { type: "button", class: "plain", onclick }, text);
  return [
    button(_("Add items"), () => addItems(order)),
    button(_("Edit check"), async () => {
      const others = await findOpen().catch(() => []);
      showSheet(order, others.filter((each) => each.id !== order.id), { changed, tell });
    }),
  ];
}

function showSheet(order, others, { changed, tell }) {
  const path = `/api/v1/staff/orders/${order.id}`;
  const problem = make("p", { class: "problem", role: "alert" });
  const entry = (id, label, attributes) => make("div", { class: "field" }, make("label", { for: id }, label), make("input", { id, autocomplete: "off", dir: "auto", ...attributes }));
  const act = (text, run) => make("button", { type: "button", class: "plain", onclick: () => attempt(run) }, text);
  const form = make("form", { novalidate: true },
    make("h2", { id: "change-title", dir: "auto" }, `${nameOf(order)} · ${_("Order %(number)s", { number: order.number })}`),
    make("fieldset", {}, make("legend", {}, _("Lines")), order.items.map(lineChoice)),
    entry("change-text", _("Reason or note"), { maxlength: 200 }),
    make("div", { class: "row" },
      act(_("Void lines"), voidLines),
      act(_("Note"), () => eachChosen(({ line_id }) => session.call("PUT", `${path}/lines/${line_id}`, { note: text() || null }))),
      act(_("Split off"), async () => {
        const split = await amend(`split:${order.id}`, `${path}/split`, { lines: chosen() });
        if (split) tell(_("Order %(number)s was split off.", { number: split.number }));
      })),
    make("div", { class: "split" }, entry("change-table", _("Table"), { maxlength: 20 }),
      act(_("Move to table"), () => amend(`move:${order.id}`, `${path}/move`, { table_number: form.querySelector("#change-table").value.trim(), type: "on-table" }))),
    others.length ? make("div", { class: "split" },
      make("div", { class: "field" }, make("label", { for: "change-other" }, _("Other check")),
        make("select", { id: "change-other" }, others.map((each) => make("option", { value: each.id }, `${nameOf(each)} · ${each.number} · ${money(each.amount_due)}`)))),
      act(_("Merge into this check"), () => amend(`merge:${order.id}`, `${path}/merge`, { order_id: Number(form.querySelector("#change-other").value) }))) : null,
    problem,
    make("div", { class: "row" }, make("button", { type: "button", onclick: () => sheet.close() }, _("Close"))));
  form.addEventListener("submit", (event) => event.preventDefault());
  const text = () => form.querySelector("#change-text").value.trim();

  function chosen() {
    const lines = [...form.querySelectorAll("[data-line]:checked")].map((box) => ({
      line_id: Number(box.dataset.line), quantity: Number(form.querySelector(`#quantity-${box.dataset.line}`)?.value ?? 1) }));
    if (!lines.length) throw new Error(_("Choose a line first."));
    return lines;
  }

  async function eachChosen(run) {
    for (const line of chosen()) await run(line);
  }

  async function voidLines() {
    const secrets = {};
    await eachChosen(({ line_id, quantity }) => amend(`void:${line_id}`, `${path}/lines/${line_id}/void`, { quantity, reason: text() }, secrets));
  }

  async function attempt(run) {
    problem.textContent = "";
    try {
      await run();
      sheet.close();
    } catch (error) {
      problem.textContent = error.message;
    }
    await changed().catch(() => {});
  }

  sheet.replaceChildren(form);
  sheet.showModal();
}

function lineChoice(line) {
  const quantity = line.quantity > 1 ? make("input", { id: `quantity-${line.id}`, type: "number", min: 1, max: line.quantity, value: line.quantity, inputmode: "numeric",
    "aria-label": _("Quantity of %(item)s", { item: line.name }) }) : null;
  return make("div", { class: "split" },
    make("label", { class: "option" }, make("input", { type: "checkbox", "data-line": line.id }), make("span", { dir: "auto" }, `${line.quantity} × ${line.name}`, line.note ? make("span", { class: "quiet" }, ` “${line.note}”`) : null)),
    quantity);
}

// Sends a change once; if it needs an approval, with the PIN of who gives it, which `secrets` keeps for the next.
async function amend(name, path, body, secrets = {}) {
  try {
    return await sendOnce(name, path, body, secrets);
  } catch (error) {
    if (error.reason !== "approval_required") throw error;
    const pin = await askPin(error.message);
    if (!pin) throw error;
    secrets.approval_pin = pin;
    return sendOnce(name, path, body, secrets);
  }
}

// Asks for a PIN; resolves to null if the dialog is closed.
function askPin(sentence) {
  return new Promise((resolve) => {
    let pin = null;
    const input = make("input", { id: "approval-pin", type: "password", inputmode: "numeric", autocomplete: "off", maxlength: 8, required: true });
    const form = make("form", {},
      make("h2", { id: "approval-title" }, sentence),
      make("div", { class: "field" }, make("label", { for: "approval-pin" }, _("PIN of who approves")), input),
      make("div", { class: "row" },
        make("button", { type: "button", class: "plain", onclick: () => approval.close() }, _("Cancel")),
        make("button", { type: "submit" }, _("Approve"))));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      pin = input.value;
      approval.close();
    });
    approval.replaceChildren(form);
    approval.addEventListener("close", () => resolve(pin), { once: true });
    approval.showModal();
  });
}
