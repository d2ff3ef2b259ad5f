// The questions of the driver's page. Each returns what was answered, or null.
import { gettext as _ } from "/own/texts.js";
import { make, money } from "./elements.js";

const find = (name) => document.querySelector(`[data-dialog="${name}"]`);
const NOTES = [5, 10, 20, 50, 100, 200, 500];

function open(dialog) {
  const before = document.activeElement;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) =>
    dialog.addEventListener(
      "close",
      () => {
        if (before?.isConnected) before.focus();
        resolve(dialog.returnValue === "done");
      },
      { once: true },
    ),
  );
}

// Asks yes or no; the first button, no, is the safe one.
export function ask({ title, list = [], yes, no }) {
  const dialog = find("ask");
  dialog.querySelector("[data-title]").textContent = title;
  dialog.querySelector("[data-list]").replaceChildren(...list.map((line) => make("li", { dir: "auto" }, line)));
  dialog.querySelector("[data-list]").hidden = !list.length;
  dialog.querySelector("[data-yes]").textContent = yes;
  dialog.querySelector("[data-no]").textContent = no;
  // Addresses do not stay in the page.
  return open(dialog).finally(() => dialog.querySelector("[data-list]").replaceChildren());
}

export async function askWhy() {
  const dialog = find("fail");
  const form = dialog.querySelector("form");
  form.reset();
  return (await open(dialog)) ? { note: form.note.value.trim() || null } : null;
}

export async function askCode(send) {
  const dialog = find("verify");
  const [form, sent, button] = [dialog.querySelector("form"), dialog.querySelector("[data-sent]"), dialog.querySelector("[data-code-out]")];
  form.reset();
  sent.textContent = "";
  button.onclick = async () => {
    sent.textContent = await send();
    form.code.focus();
  };
  return (await open(dialog)) ? { code: form.code.value.trim() } : null;
}

function suggestNotes(due) {
  const rounded = NOTES.map((note) => Math.ceil(due / note) * note);
  return [...new Set([due, ...rounded])].sort((one, other) => one - other).slice(0, 4);
}

function showChange(dialog, due, currency) {
  const given = dialog.querySelector("form").given.valueAsNumber;
  const change = dialog.querySelector("[data-change]");
  const rest = given - due;
  change.classList.toggle("short", rest < 0);
  if (!Number.isFinite(given)) change.textContent = "";
  else if (rest < 0) change.textContent = _("%(amount)s stays unpaid.", { amount: money(-rest, currency) });
  else change.textContent = rest > 0 ? _("Change: %(amount)s", { amount: money(rest, currency) }) : _("No change.");
}

function prepareCash(dialog, { amount_to_collect: due, currency }) {
  const form = dialog.querySelector("form");
  dialog.querySelector("[data-due]").hidden = form.given.disabled = !(due > 0);
  if (!(due > 0)) return;
  dialog.querySelector("[data-collect]").textContent = _("Collect %(amount)s", { amount: money(due, currency) });
  dialog.querySelector("[data-currency]").textContent = currency;
  form.given.value = due;
  form.given.oninput = () => showChange(dialog, due, currency);
  const notes = suggestNotes(due).map((note) => {
    const button = make("button", { type: "button", class: "plain" }, money(note, currency));
    button.onclick = () => {
      form.given.value = note;
      showChange(dialog, due, currency);
    };
    return button;
  });
  dialog.querySelector("[data-notes]").replaceChildren(...notes);
  showChange(dialog, due, currency);
}

// Asks at the door for the cash and for the check of age, as far as the delivery needs them.
export async function askFinish(delivery) {
  const due = delivery.amount_to_collect;
  const fields = { delivery_status: "delivered" };
  if (!(due > 0) && !delivery.requires_id_check) return fields;
  const dialog = find("finish");
  const form = dialog.querySelector("form");
  form.reset();
  dialog.querySelector("[data-title]").textContent = _("Hand over order %(number)s", { number: delivery.number });
  dialog.querySelector("[data-age]").hidden = !delivery.requires_id_check;
  form.checked.required = delivery.requires_id_check;
  dialog.querySelector("[data-problem]").textContent = "";
  prepareCash(dialog, delivery);
  if (!(await open(dialog))) return null;
  if (due > 0) fields.cash_collected = Math.min(form.given.valueAsNumber, due);
  if (delivery.requires_id_check) fields.id_checked = form.checked.checked;
  return fields;
}

find("fail").addEventListener("click", (event) => {
  const button = event.target.closest("[data-reason]");
  if (button) find("fail").querySelector("form").note.value = button.textContent;
});
