// Signing in: a phone number, then the code that was sent to it.
import { gettext as _, ngettext } from "/own/texts.js";
import { call, set } from "./account.js";
import { isolated, make } from "./dom.js";

const CODE_LENGTH = 6;
const RESEND_SECONDS = 30;

// Returns a form that signs in, and calls `done` once somebody is.
export function signInForm(done) {
  const form = make("form", { class: "sign-in", novalidate: true });
  let phone = "";
  let timer = 0;

  function showPhone() {
    clearInterval(timer);
    const input = make("input", { id: "sign-in-phone", name: "phone", type: "tel", autocomplete: "tel", inputmode: "tel", required: true, maxlength: 50, value: phone, "aria-describedby": "sign-in-phone-hint sign-in-phone-problem", dir: "ltr" });
    const problem = problemAt("sign-in-phone");
    form.replaceChildren(
      make("p", {}, _("Order faster: your addresses, your past orders and your cart are here when you come back.")),
      make("div", { class: "field" }, make("label", { for: "sign-in-phone" }, _("Phone number")), input,
        make("p", { class: "quiet", id: "sign-in-phone-hint" }, _("We send you a code by text message. No password is needed.")), problem),
      make("button", { type: "submit", class: "wide" }, _("Send code")));
    form.onsubmit = (event) => send(event, async () => {
      phone = input.value.trim();
      const { status, document } = await call("POST", "/code", { phone });
      if (status === 200) return showCode();
      return refuse(input, problem, status, document, "phone");
    });
    return input;
  }

  function showCode() {
    const input = make("input", { id: "sign-in-code", name: "code", autocomplete: "one-time-code", inputmode: "numeric", pattern: "[0-9]*", maxlength: CODE_LENGTH, class: "code", "aria-describedby": "sign-in-code-problem", dir: "ltr" });
    const problem = problemAt("sign-in-code");
    const again = make("button", { type: "button", class: "link", onclick: () => resend(again, problem) }, "");
    form.replaceChildren(
      make("p", { role: "status" }, _("We sent a code to %(phone)s.", { phone: isolated(phone) }), " ",
        make("button", { type: "button", class: "link", onclick: () => showPhone().focus() }, _("Change number"))),
      make("div", { class: "field" }, make("label", { for: "sign-in-code" }, _("Code")), input, problem),
      make("button", { type: "submit", class: "wide" }, _("Sign in")),
      make("p", { class: "again" }, again));
    form.onsubmit = (event) => send(event, async () => {
      const { status, document } = await call("POST", "/session", { phone, code: input.value.trim() });
      if (status === 200) {
        clearInterval(timer);
        set(document);
        return done();
      }
      input.select();
      return refuse(input, problem, status, document, "code");
    });
    input.addEventListener("input", () => {
      // A code that was pasted or filled in may have spaces.
      input.value = input.value.replace(/\D/g, "");
      if (input.value.length === CODE_LENGTH) form.requestSubmit();
    });
    wait(again);
    input.focus();
  }

  // Another code can be asked for when the first should have come.
  function wait(button) {
    let left = RESEND_SECONDS;
    const show = () => {
      button.disabled = left > 0;
      button.textContent = left > 0 ? ngettext("Send a new code in %(num)s second", "Send a new code in %(num)s seconds", left) : _("Send a new code");
      left -= 1;
      if (left < -1 || !button.isConnected) clearInterval(timer);
    };
    clearInterval(timer);
    timer = setInterval(show, 1000);
    show();
  }

  async function resend(button, problem) {
    const { status, document } = await call("POST", "/code", { phone });
    problem.textContent = status === 200 ? "" : sentenceOf(status, document, "phone");
    wait(button);
    form.querySelector("#sign-in-code").focus();
  }

  async function send(event, act) {
    event.preventDefault();
    const button = form.querySelector('[type="submit"]');
    if (button.getAttribute("aria-disabled")) return;
    button.setAttribute("aria-disabled", "true");
    await act();
    button.removeAttribute("aria-disabled");
  }

  showPhone();
  return form;
}

const problemAt = (id) => make("p", { class: "problem", id: `${id}-problem`, role: "alert" });

function refuse(input, problem, status, document, field) {
  problem.textContent = sentenceOf(status, document, field);
  input.setAttribute("aria-invalid", "true");
  input.focus();
}

export function sentenceOf(status, document, field) {
  if (!status) return _("There is no connection. Try again.");
  return (document.errors?.[field] ?? Object.values(document.errors ?? {})[0] ?? [document.message]).join(" ");
}
