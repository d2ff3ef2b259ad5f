// Logging in by a code that is sent to the driver's phone.
import { gettext as _ } from "/own/texts.js";
import { call, keep, session } from "./api.js";

const form = document.querySelector("[data-login]");
const [problem, code, choices, send, again] = ["problem", "code", "choices", "send", "again"].map((name) => form.querySelector(`[data-${name}]`));
let isSent = false;

export function show(reason = "") {
  form.phone.value = session().phone ?? "";
  if (session().country) form.country.value = session().country;
  problem.textContent = reason;
  asking(false);
  form.hidden = false;
  form.phone.focus();
}

function asking(forCode) {
  isSent = forCode;
  code.hidden = again.hidden = !forCode;
  choices.hidden = true;
  form.phone.readOnly = forCode;
  form.querySelector("[data-countries]").hidden = forCode;
  form.code.value = "";
  form.choice.replaceChildren();
  send.textContent = forCode ? _("Log in") : _("Send me a code");
}

// A number without a country code is one of the country.
const number = () => ({ phone: form.phone.value.trim(), country: form.country.value });

async function request() {
  await call("POST", "/login/request", number());
  keep(number());
  asking(true);
  form.code.focus();
}

function offer(found) {
  form.choice.replaceChildren(...found.map((choice) => new Option(`${choice.owner_name}: ${choice.name}`, JSON.stringify(choice))));
  choices.hidden = false;
  form.choice.focus();
}

async function enter(listener) {
  const chosen = form.choice.value ? JSON.parse(form.choice.value) : null;
  const whose = chosen ? { owner: chosen.owner, driver_id: chosen.driver_id } : {};
  const device = "The driver's page";
  try {
    keep(await call("POST", "/login/verify", { ...number(), code: form.code.value.trim(), device, ...whose }));
  } catch (error) {
    if (error.choices && !error.errors.code) offer(error.choices);
    throw error;
  }
  form.hidden = true;
  listener();
}

async function attempt(act) {
  problem.textContent = "";
  send.disabled = true;
  try {
    await act();
  } catch (error) {
    problem.textContent = error.message;
  } finally {
    send.disabled = false;
  }
}

export function onIn(listener) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(() => (isSent ? enter(listener) : request()));
  });
  again.addEventListener("click", () => {
    problem.textContent = "";
    asking(false);
    form.phone.focus();
  });
}
