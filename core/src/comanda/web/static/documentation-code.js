// Code on pages of the documentation: copying it, the language that the reader has chosen, and the reader's own token.
const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

const LANGUAGE = "comanda-code-language";
const TOKEN = "comanda-docs-token";
const TOLD_MS = 4_000;
const told = $("[data-told]");
let timer;

function tell(text) {
  told.textContent = text;
  clearTimeout(timer);
  timer = setTimeout(() => (told.textContent = ""), TOLD_MS);
}

function createIcon(name) {
  const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  icon.setAttribute("class", "icon");
  icon.setAttribute("viewBox", "0 0 24 24");
  icon.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${new URL("icons.svg", import.meta.url).pathname}#${name}`);
  icon.append(use);
  return icon;
}

async function copy(block) {
  const code = $("code", block);
  try {
    await navigator.clipboard.writeText(code.textContent);
    const use = $("button use", block);
    const file = use.getAttribute("href").split("#")[0];
    use.setAttribute("href", `${file}#check`);
    setTimeout(() => use.setAttribute("href", `${file}#copy`), TOLD_MS / 2);
    tell(told.dataset.copied);
  } catch {
    // Without https or permission, the reader copies what is selected for them.
    getSelection().selectAllChildren(code);
    tell(told.dataset.copyFailed);
  }
}

for (const block of $$(".code")) {
  const button = Object.assign(document.createElement("button"), { type: "button" });
  const name = $(".code-name", block)?.textContent;
  button.setAttribute("aria-label", name ? `${told.dataset.copy}: ${name}` : told.dataset.copy);
  button.append(createIcon("copy"));
  button.onclick = () => copy(block);
  block.append(button);
}

// What cannot be stored, such as in a private window, holds for this page.
function keep(storage, key, value) {
  try {
    if (value) storage.setItem(key, value);
    else storage.removeItem(key);
  } catch {
    // As said.
  }
}
function recall(storage, key) {
  try {
    return storage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

const choices = $$("input[name=code]");
const chosen = choices.find((each) => each.value === recall(localStorage, LANGUAGE));
if (chosen) chosen.checked = true;
for (const choice of choices) {
  choice.onchange = () => {
    // What the reader looks at stays where it is, although samples above it change their heights.
    const anchor = $$(".operation").find((each) => each.getBoundingClientRect().bottom > 0);
    const before = anchor?.getBoundingClientRect().top;
    keep(localStorage, LANGUAGE, choice.value);
    if (anchor) scrollBy(0, anchor.getBoundingClientRect().top - before);
  };
}

const spots = $$("[data-token]").map((spot) => ({ spot, placeholder: spot.textContent, prefixes: spot.dataset.token.split(" ") }));

function fillIn(token) {
  for (const { spot, placeholder, prefixes } of spots) {
    const isFilled = token !== "" && prefixes.some((prefix) => token.startsWith(prefix));
    spot.textContent = isFilled ? token : placeholder;
    spot.classList.toggle("filled", isFilled);
  }
}

const input = $("#token");
if (input) {
  $("[data-token-box]").hidden = false;
  const problem = $("[data-token-problem]");
  const prefixes = input.dataset.prefixes.trim().split(" ");
  input.value = recall(sessionStorage, TOKEN);
  input.addEventListener("input", () => {
    const token = input.value.trim();
    const isKnown = /^[\w.~+/=-]+$/.test(token) && prefixes.some((prefix) => token.startsWith(prefix));
    problem.textContent = token && !isKnown ? input.dataset.unknown : "";
    input.toggleAttribute("aria-invalid", Boolean(token) && !isKnown);
    if (input.hasAttribute("aria-invalid")) input.setAttribute("aria-invalid", "true");
    keep(sessionStorage, TOKEN, isKnown ? token : "");
    fillIn(isKnown ? token : "");
  });
}
fillIn(recall(sessionStorage, TOKEN));
