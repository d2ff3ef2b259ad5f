// Forms: questions before they are sent, sending in place, sending as soon as something changes, and files dropped in.
import { $, $$, fetchPage, onContent, parsePage, showPage, toast } from "./page.js";

const running = new WeakMap();
// Presses that wait for the answer to the one before, by the name and the value of their button.
const pressed = [];

// Asks before a form is sent; the button to go on is named as the one that was pressed.
function ask(form, button, question) {
  const dialog = $("#question");
  const confirm = $("[data-confirm]", dialog);
  $("h2", dialog).textContent = question;
  confirm.className = button?.classList.contains("danger") ? "danger solid" : "";
  if (button?.textContent.trim()) confirm.textContent = button.textContent.trim();
  confirm.onclick = () => {
    dialog.close();
    form.dataset.confirmed = "yes";
    form.requestSubmit(button ?? undefined);
    delete form.dataset.confirmed;
  };
  dialog.showModal();
}

function mark(button, isBusy) {
  if (!button) return;
  if (isBusy) button.setAttribute("aria-busy", "true");
  else button.removeAttribute("aria-busy");
}

// Sends a form and shows the answer in place; a later request of the same form wins over an earlier one.
async function send(form, button) {
  running.get(form)?.abort();
  const control = new AbortController();
  running.set(form, control);
  const values = new FormData(form, button);
  const isGet = form.method === "get";
  const target = new URL(button?.hasAttribute("formaction") ? button.formAction : form.action, location.href);
  if (isGet) target.search = new URLSearchParams([...values].filter(([, value]) => value !== "")).toString();
  const body = form.enctype === "multipart/form-data" ? values : new URLSearchParams(values);
  mark(button, true);
  try {
    const answer = await fetchPage(target, { signal: control.signal, ...(isGet ? {} : { method: "POST", body }) });
    if (!answer) return;
    form.classList.remove("changed");
    const page = parsePage(await answer.text());
    form.closest("dialog[open]")?.close();
    // A form that is refused comes back from the address of its target, which often is no page.
    const hasAddress = isGet || answer.redirected;
    showPage(page, hasAddress ? answer.url : location.href, { isReplaced: isGet, hasAddress });
  } catch (error) {
    if (error.name === "AbortError") return;
    pressed.length = 0;
    toast($("#toasts").dataset.failed, "bad");
  } finally {
    if (running.get(form) === control) running.delete(form);
    mark(button, false);
  }
  pressNext(form.getAttribute("action"));
}

// Makes the press that waits longest, in the form that the answer shows.
function pressNext(action) {
  const next = pressed.shift();
  if (!next) return;
  const button = $$("form button[data-waits]").find(({ form, name, value }) => form.getAttribute("action") === action && name === next.name && value === next.value);
  if (button) button.form.requestSubmit(button);
  else pressed.length = 0;
}

document.addEventListener("submit", (event) => {
  const { target: form, submitter: button } = event;
  if (event.defaultPrevented || form.method === "dialog") return;
  const question = button?.dataset.question ?? form.dataset.question;
  if (question && !form.dataset.confirmed) {
    event.preventDefault();
    ask(form, button, question);
  } else if (form.dataset.enhance !== undefined) {
    event.preventDefault();
    if (form.method === "get" || !running.has(form)) send(form, button);
    else if (button?.dataset.waits !== undefined) pressed.push({ name: button.name, value: button.value });
  } else if (form.method === "post") {
    // Two clicks are one order. An answer that is a file leaves the page, so the button comes back.
    if (running.has(form)) event.preventDefault();
    running.set(form, new AbortController());
    mark(button, true);
    form.classList.remove("changed");
    setTimeout(() => {
      running.delete(form);
      mark(button, false);
    }, 8_000);
  }
});

addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

let waiting;
const sendSoon = (form, ms) => {
  clearTimeout(waiting);
  waiting = setTimeout(() => form.isConnected && form.requestSubmit(), ms);
};
document.addEventListener("change", (event) => {
  const form = event.target.form ?? event.target.closest("form");
  if (form?.dataset.autosubmit !== undefined) sendSoon(form, 0);
  const { checkAll } = event.target.dataset;
  if (checkAll) for (const box of $$(`input[name="${CSS.escape(checkAll)}"]`, event.target.closest("form, table") ?? document)) box.checked = event.target.checked;
});
document.addEventListener("input", (event) => {
  const { form } = event.target;
  if (form?.dataset.guard !== undefined) form.classList.add("changed");
  if (event.target.type === "search" && form?.dataset.autosubmit !== undefined && form.dataset.enhance !== undefined) sendSoon(form, 350);
});
addEventListener("beforeunload", (event) => {
  if ($("form.changed")) event.preventDefault();
});

// Filters fold where there is little room, unless one of them is in use.
onContent((root) => {
  if (!matchMedia("(max-width: 40rem)").matches) return;
  for (const each of $$("details[data-folds]", root)) each.open = false;
});

// Files that are dropped into an element with an input for files.
for (const kind of ["dragover", "dragleave", "drop"]) {
  document.addEventListener(kind, (event) => {
    const place = event.target.closest?.("[data-drop]");
    if (!place || !event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    place.classList.toggle("over", kind === "dragover");
    if (kind !== "drop") return;
    const input = $("input[type=file]", place);
    input.files = event.dataTransfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

// Light and dark are seen at once; the server keeps the choice.
onContent((root) => {
  if (root !== document) return;
  const form = $("[data-theme-choice]");
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { value } = event.submitter;
    document.documentElement.toggleAttribute("data-theme", value !== "");
    if (value) document.documentElement.dataset.theme = value;
    $("meta[name=color-scheme]").content = value || "light dark";
    for (const button of $$("button", form)) button.setAttribute("aria-pressed", String(button.value === value));
    await fetch(form.action, { method: "POST", body: new URLSearchParams({ theme: value }), redirect: "manual" }).catch(() => null);
  });
});
