// Signing in at a store on the way to consent: a phone number, then the code that was sent to it.
const page = document.querySelector("[data-no-answer]");
const phoneForm = page.querySelector("[data-phone]");
const codeForm = page.querySelector("[data-code]");
const { phone } = phoneForm.elements;
const { code } = codeForm.elements;

// Returns whether the server has accepted it; otherwise says at the field why not.
async function send(form, control, body) {
  const problem = document.getElementById(`${control.id}-problem`);
  problem.textContent = "";
  control.removeAttribute("aria-invalid");
  let sentence = page.dataset.noAnswer;
  try {
    const answer = await fetch(form.action, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), signal: AbortSignal.timeout(20_000),
    });
    if (answer.ok) return true;
    const { errors, message } = await answer.json();
    sentence = errors?.[control.name]?.[0] ?? message;
  } catch {
    // There was no answer.
  }
  problem.textContent = sentence;
  control.setAttribute("aria-invalid", "true");
  control.focus();
  return false;
}

function onSubmit(form, act) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("[type=submit]");
    if (button.getAttribute("aria-busy")) return;
    button.setAttribute("aria-busy", "true");
    await act();
    button.removeAttribute("aria-busy");
  });
}

onSubmit(phoneForm, async () => {
  if (!(await send(phoneForm, phone, { phone: phone.value.trim() }))) return;
  codeForm.hidden = false;
  phoneForm.querySelector("[type=submit]").className = "plain";
  code.focus();
});

onSubmit(codeForm, async () => {
  const body = { phone: phone.value.trim(), code: code.value.replace(/\D/g, "") };
  // The same address, which now shows what is asked for.
  if (await send(codeForm, code, body)) location.replace(location.href);
});
