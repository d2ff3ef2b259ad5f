// The form of a refund: what is typed in is chosen, and the button says how much goes back.

const $$ = (selector, root) => [...root.querySelectorAll(selector)];
const findForm = (event) => event.target.closest?.("[data-refund]");

function choose(form, what) {
  form.querySelector(`[name=_what][value=${what}]`).checked = true;
}

// Returns the amount that was chosen, or null if it is not known here: the server parses what is typed.
function getAmount(form, digits) {
  const unit = 10 ** digits;
  const what = form.querySelector("[name=_what]:checked")?.value;
  if (what === "all") return Number(form.dataset.left);
  if (what === "amount") {
    const typed = form.elements.amount.value.trim();
    return new RegExp(`^\\d+([.,]\\d{1,${digits || 1}})?$`).test(typed) ? Number(typed.replace(",", ".")) : null;
  }
  const shares = $$("[data-quantity]", form).map((field) => {
    const quantity = Number(field.value) || 0;
    return Math.round((Number(field.dataset.total) * unit * quantity) / Number(field.dataset.quantity));
  });
  return shares.reduce((sum, share) => sum + share, 0) / unit;
}

function update(form) {
  const format = new Intl.NumberFormat(`${document.documentElement.lang}-u-nu-latn`, { style: "currency", currency: form.dataset.currency });
  const amount = getAmount(form, format.resolvedOptions().maximumFractionDigits);
  const button = form.querySelector("button[type=submit]");
  button.dataset.plain ??= button.textContent;
  button.textContent = amount ? form.dataset.label.replace("{}", format.format(amount)) : button.dataset.plain;
}

function step(form, button) {
  const field = button.parentElement.querySelector("input");
  const quantity = Math.min(Math.max((Number(field.value) || 0) + Number(button.dataset.step), 0), Number(field.dataset.quantity));
  field.value = quantity || "";
  choose(form, "lines");
}

function start() {
  for (const form of $$("[data-refund]", document)) {
    for (const button of $$("[data-step]", form)) button.hidden = false;
    update(form);
  }
}

document.addEventListener("input", (event) => {
  const form = findForm(event);
  if (!form) return;
  if (event.target.name === "amount") choose(form, "amount");
  else if (event.target.dataset.quantity) choose(form, "lines");
  update(form);
});
document.addEventListener("click", (event) => {
  const form = findForm(event);
  const button = event.target.closest?.("[data-step]");
  if (!form || !button) return;
  step(form, button);
  update(form);
});
document.addEventListener("comanda:content", start);
start();
