// The search of the documentation: a list of what is named like it, read when the field is first used.
const form = document.querySelector("[data-find]");
const input = form.querySelector("input");
const list = form.querySelector("ul");
const count = form.querySelector("[data-found-count]");
const MAX_FOUND = 12;
const ICONS = { event: "hook", chapter: "book", heading: "list", all: "search" };

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
let entries = null;
let reading = null;

function read() {
  reading ??= fetch("/docs/search.json")
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error(answer.statusText))))
    .then((found) => {
      entries = found.entries.map(([kind, title, place, href, method, detail]) => ({
        kind, title, place, href, method, detail, head: plain(title), rest: plain(`${place} ${detail} ${method}`),
      }));
      if (input.value) show();
    })
    .catch(() => (reading = null));
}

// Returns how well an entry fits the words; 0 if one is missing. An operation is best found by its path.
function rate({ head, rest, kind, detail }, words) {
  let score = kind === "operation" || kind === "chapter" ? 1 : 0.5;
  if (words.at(-1).includes("/") && detail.toLowerCase().endsWith(words.at(-1))) score += 10;
  for (const word of words) {
    if (head.startsWith(word)) score += 4;
    else if (head.includes(` ${word}`)) score += 3;
    else if (head.includes(word)) score += 2;
    else if (rest.includes(word)) score += 1;
    else return 0;
  }
  return score;
}

function createOption({ kind, title, place, href, method, detail }, number) {
  const option = Object.assign(document.createElement("a"), { href, id: `found-${number}`, tabIndex: -1 });
  option.setAttribute("role", "option");
  if (method) {
    option.append(Object.assign(document.createElement("span"), { className: `method ${method.toLowerCase()}`, textContent: method === "DELETE" ? "DEL" : method }));
  } else {
    const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    icon.setAttribute("class", "icon");
    icon.setAttribute("viewBox", "0 0 24 24");
    icon.setAttribute("aria-hidden", "true");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", `${new URL("icons.svg", import.meta.url).pathname}#${ICONS[kind]}`);
    icon.append(use);
    option.append(icon);
  }
  option.append(Object.assign(document.createElement("span"), { textContent: title }));
  const below = [place, detail].filter(Boolean).join(" · ");
  if (below) option.append(Object.assign(document.createElement("small"), { textContent: below }));
  if (kind !== "all") [option.lang, option.dir] = ["en", "ltr"];
  const row = document.createElement("li");
  row.setAttribute("role", "none");
  row.append(option);
  return row;
}

const listOptions = () => [...list.querySelectorAll("[role=option]")];

function choose(option) {
  for (const each of listOptions()) each.setAttribute("aria-selected", String(each === option));
  if (option) input.setAttribute("aria-activedescendant", option.id);
  else input.removeAttribute("aria-activedescendant");
  option?.scrollIntoView({ block: "nearest" });
}

function hide() {
  list.hidden = true;
  input.setAttribute("aria-expanded", "false");
  input.removeAttribute("aria-activedescendant");
}

function show() {
  const words = plain(input.value).split(/\s+/).filter(Boolean);
  if (!words.length || !entries) {
    hide();
    return;
  }
  const found = entries
    .map((each, place) => ({ each, place, score: rate(each, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score || one.place - other.place)
    .map(({ each }) => each);
  const all = { kind: "all", title: form.dataset.all, place: input.value.trim(), href: `/docs/search?q=${encodeURIComponent(input.value.trim())}` };
  list.replaceChildren(...[...found.slice(0, MAX_FOUND), all].map(createOption));
  list.hidden = false;
  input.setAttribute("aria-expanded", "true");
  count.textContent = found.length ? (found.length === 1 ? count.dataset.one : count.dataset.many.replace("#", found.length)) : form.dataset.nothing;
  choose(found.length ? listOptions()[0] : null);
}

input.setAttribute("role", "combobox");
input.setAttribute("aria-controls", list.id);
input.setAttribute("aria-autocomplete", "list");
input.setAttribute("aria-expanded", "false");
input.addEventListener("focus", () => {
  read();
  if (input.value && entries && document.activeElement === input && !location.pathname.startsWith("/docs/search")) show();
});
input.addEventListener("input", () => {
  read();
  show();
});
input.addEventListener("keydown", (event) => {
  const options = list.hidden ? [] : listOptions();
  const place = options.findIndex((each) => each.getAttribute("aria-selected") === "true");
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Enter" && options[place]) {
    event.preventDefault();
    options[place].click();
  } else if (event.key === "Escape" && !list.hidden) {
    event.preventDefault();
    event.stopPropagation();
    hide();
  } else if (step && options.length) {
    event.preventDefault();
    choose(options[(place + step + options.length) % options.length]);
  }
});
list.addEventListener("click", (event) => {
  if (event.target.closest("a") && !event.ctrlKey && !event.metaKey) hide();
});
form.addEventListener("focusout", (event) => {
  if (!form.contains(event.relatedTarget)) setTimeout(() => !form.contains(document.activeElement) && hide(), 150);
});

const isTyping = (target) => target.closest?.("input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]") !== null;
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  event.preventDefault();
  input.focus();
  input.select();
});
