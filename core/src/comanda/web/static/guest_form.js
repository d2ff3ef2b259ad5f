// Forms of a store's guests: sent once as JSON, with errors beside the fields, and led to the page of what was made.
import { gettext as _ } from "/own/texts.js";

document.documentElement.classList.add("js");

// The same form sent again has the same key, also after a reload: an answer that got lost books nothing twice.
function keyFor(place, text) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place));
    if (kept?.text === text) return kept.key;
  } catch {
    // What is not readable is made anew.
  }
  const key = crypto.randomUUID();
  try {
    sessionStorage.setItem(place, JSON.stringify({ text, key }));
  } catch {
    // A browser that keeps nothing still sends its form once.
  }
  return key;
}

function read(form) {
  const body = {};
  for (const control of form.elements) {
    if (!control.name || control.disabled || (control.type === "radio" && !control.checked)) continue;
    const text = control.value.trim();
    if (text) body[control.name] = control.type === "number" || control.dataset.number !== undefined ? Number(text) : text;
  }
  return body;
}

function problemOf(form, name) {
  return form.querySelector(`[data-problem-of="${CSS.escape(name)}"]`);
}

function clear(form) {
  form.querySelectorAll("[data-problem-of], [data-problem]").forEach((each) => each.replaceChildren());
  form.querySelectorAll("[aria-invalid]").forEach((each) => each.removeAttribute("aria-invalid"));
}

function show(form, document_) {
  const left = [];
  let first = null;
  for (const [name, [sentence]] of Object.entries(document_.errors ?? {})) {
    const place = problemOf(form, name);
    if (!place) {
      left.push(sentence);
      continue;
    }
    place.textContent = sentence;
    const control = form.querySelector(`[name="${CSS.escape(name)}"]`);
    control?.setAttribute("aria-invalid", "true");
    first ??= control;
  }
  if (!first && !left.length) left.push(document_.message ?? _("Something went wrong. Please try again."));
  form.querySelector("[data-problem]").textContent = left.join(" ");
  first?.focus();
}

async function send(form) {
  const body = read(form);
  const place = `comanda-form:${new URL(form.action).pathname}`;
  const client_uuid = keyFor(place, JSON.stringify(body));
  const answer = await fetch(form.action, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ...body, client_uuid }),
    signal: AbortSignal.timeout(20_000),
  });
  const found = await answer.json().catch(() => ({}));
  if (!answer.ok) return found;
  sessionStorage.removeItem(place);
  location.assign(found.url);
  return null;
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("[data-guest-form]")) return;
  event.preventDefault();
  if (form.getAttribute("aria-busy") === "true") return;
  const question = form.dataset.question;
  if (question && !window.confirm(question)) return;
  clear(form);
  form.setAttribute("aria-busy", "true");
  const button = form.querySelector("[type=submit]");
  button.setAttribute("aria-busy", "true");
  let refusal;
  try {
    refusal = await send(form);
  } catch {
    refusal = { message: _("There was no answer. Check your connection and send it again: it counts once.") };
  }
  // The page that a booking leads to comes soon; until then the button stays as it is.
  if (!refusal) return;
  form.removeAttribute("aria-busy");
  button.removeAttribute("aria-busy");
  show(form, refusal);
});

// A page that Back brings out of memory can be sent again.
addEventListener("pageshow", (event) => {
  if (event.persisted) document.querySelectorAll("[data-guest-form], [data-guest-form] [type=submit]").forEach((each) => each.removeAttribute("aria-busy"));
});
