// What the other scripts share: finding elements, short messages, and showing another page's content in place.

export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

const KEPT = "comanda-toasts";
const listeners = [];

// Calls a function with the document, and later with each content that takes the place of another.
export function onContent(listener) {
  listeners.push(listener);
  listener(document);
}

export function createIcon(name) {
  const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  icon.setAttribute("class", "icon");
  icon.setAttribute("viewBox", "0 0 24 24");
  icon.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${new URL("icons.svg", import.meta.url).pathname}#${name}`);
  icon.append(use);
  return icon;
}

function keepForAWhile(line) {
  const close = Object.assign(document.createElement("button"), { type: "button", className: "quiet" });
  close.setAttribute("aria-label", $("#toasts").dataset.close);
  close.append(createIcon("close"));
  close.onclick = () => line.remove();
  line.append(close);
  let timer;
  const wait = () => (timer = setTimeout(() => line.remove(), line.classList.contains("bad") ? 20_000 : 7_000));
  line.onpointerenter = () => clearTimeout(timer);
  line.onpointerleave = wait;
  wait();
}

export function toast(text, kind = "good") {
  const place = $("#toasts");
  if (!place) return;
  const line = Object.assign(document.createElement("p"), { className: `toast ${kind}` });
  line.append(Object.assign(document.createElement("span"), { textContent: text }));
  place.append(line);
  keepForAWhile(line);
}

export const parsePage = (text) => new DOMParser().parseFromString(text, "text/html");

// Fetches an address as a page. One that leads out of the dashboard, such as to the sign-in, is opened.
export async function fetchPage(address, options = {}) {
  const answer = await fetch(address, { cache: "no-store", ...options });
  if (answer.redirected && !new URL(answer.url).pathname.startsWith("/dashboard") && new URL(answer.url).pathname !== location.pathname) {
    location.assign(answer.url);
    return null;
  }
  return answer;
}

// How an element is found again in new content: by what it is rather than where it stands.
function describe(element) {
  if (!element || element === document.body || element.id === "content") return null;
  if (element.id) return `#${CSS.escape(element.id)}`;
  for (const name of ["aria-label", "href", "data-key"]) {
    const value = element.getAttribute(name);
    if (value) return `${element.localName}[${name}="${CSS.escape(value)}"]`;
  }
  if (!element.name) return null;
  const value = ["button", "checkbox", "radio", "submit"].includes(element.type) ? `[value="${CSS.escape(element.value)}"]` : "";
  return `${element.localName}[name="${CSS.escape(element.name)}"]${value}`;
}

// Changes content and brings the focus, and what was being typed, back to where it was.
export function keepFocus(root, change) {
  const active = root.contains(document.activeElement) ? document.activeElement : null;
  const place = describe(active);
  const isText = active?.matches("input:not([type=checkbox], [type=radio], [type=hidden]), textarea");
  const { value, selectionStart, selectionEnd } = isText ? active : {};
  const next = change() ?? root;
  const found = place && $(place, next);
  if (!found) return;
  found.focus({ preventScroll: true });
  if (isText && found.value !== value) found.value = value;
  try {
    if (isText && selectionStart !== null) found.setSelectionRange(selectionStart, selectionEnd);
  } catch {
    // Inputs of numbers and dates have no selection.
  }
}

const getFile = (element) => element.getAttribute("href") ?? element.getAttribute("src");
const listFiles = (root) => $$("link[rel=stylesheet], script[src]", root);

function addFile(element) {
  const copy = document.createElement(element.localName);
  for (const { name, value } of element.attributes) copy.setAttribute(name, value);
  document.head.append(copy);
}

// Shows the content of a page in place of this one's. A page with files of its own is opened, with its messages; unless
// it is the answer to a form and has no address.
export function showPage(page, address, { isReplaced = false, isBack = false, hasAddress = true } = {}) {
  const content = $("#content", page);
  const known = new Set(listFiles(document).map(getFile));
  const missing = listFiles(page).filter((each) => !known.has(getFile(each)));
  const told = $$("#toasts .toast", page).map((each) => [each.textContent.trim(), each.classList.contains("bad") ? "bad" : "good"]);
  if (!content || !page.body.classList.contains("dashboard") || (hasAddress && missing.length)) {
    sessionStorage.setItem(KEPT, JSON.stringify(told));
    location.assign(address);
    return;
  }
  const isSamePlace = new URL(address).pathname === location.pathname;
  const old = $("#content");
  keepFocus(old, () => {
    old.replaceWith(content);
    return content;
  });
  missing.forEach(addFile);
  const links = $("#navigation nav", page);
  if (links) $("#navigation nav")?.replaceChildren(...links.childNodes);
  document.title = page.title;
  if (address !== location.href && !isBack) history[isReplaced ? "replaceState" : "pushState"]({}, "", address);
  for (const field of $$(".top input[name=next]")) field.value = location.pathname + location.search;
  for (const [text, kind] of told) toast(text, kind);
  const wrong = $("[aria-invalid=true]", content);
  if (wrong) wrong.focus();
  else if (!isSamePlace) {
    scrollTo(0, 0);
    content.focus({ preventScroll: true });
  }
  for (const listener of listeners) listener(content);
  document.dispatchEvent(new CustomEvent("comanda:content", { detail: content }));
}

let shown = location.pathname + location.search;
document.addEventListener("comanda:content", () => (shown = location.pathname + location.search));
addEventListener("popstate", async () => {
  if (location.pathname + location.search === shown) return;
  const answer = await fetchPage(location.href).catch(() => null);
  if (answer) showPage(parsePage(await answer.text()), answer.url, { isBack: true });
  else location.reload();
});

for (const line of $$("#toasts .toast")) keepForAWhile(line);
for (const [text, kind] of JSON.parse(sessionStorage.getItem(KEPT) ?? "[]")) toast(text, kind);
sessionStorage.removeItem(KEPT);
