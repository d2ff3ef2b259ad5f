// The palette, which finds the links that are on the page anyway and the records of the store, and the shortcuts of the
// keyboard.
import { $, $$, createIcon } from "./page.js";

const SHORTCUTS_OFF = "comanda-shortcuts-off";
const MAX_FOUND = 40;
const CHAIN_MS = 1_200;
const SEARCH_MS = 200;
const dialog = $("#palette");
const input = dialog && $("input", dialog);
const list = dialog && $("ul", dialog);

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const getLabel = (link) => ($(":scope > span:not(.count)", link)?.textContent ?? link.textContent).trim();

// Returns how well a text fits what was typed; 0 if it does not.
function rate(text, wanted) {
  if (text.startsWith(wanted)) return 4;
  if (text.includes(` ${wanted}`)) return 3;
  if (text.includes(wanted)) return 2;
  let place = -1;
  return [...wanted].every((letter) => (place = text.indexOf(letter, place + 1)) >= 0) ? 1 : 0;
}

function listLinks() {
  const here = dialog.dataset.here;
  const known = new Set();
  const ofFrame = [...$$("#navigation [data-palette]"), ...$$(".top [data-palette]")];
  return [
    ...$$("#content .heading a.button, #content .tabs a, #content .back").map((link) => [link, here]),
    ...ofFrame.map((link) => [link, link.dataset.palette]),
  ]
    .map(([link, group]) => ({ link, group, label: getLabel(link), href: link.href }))
    .filter(({ href, label }) => !href.includes("#") && label && !known.has(href) && known.add(href));
}

// The records that the server has found for what was typed.
let records = { wanted: "", found: [] };
let searching = null;
let timer;

function searchRecords() {
  clearTimeout(timer);
  searching?.abort();
  const wanted = input.value.trim();
  if (!wanted || !dialog.dataset.search || records.wanted === wanted) return;
  timer = setTimeout(async () => {
    searching = new AbortController();
    const address = `${dialog.dataset.search}?q=${encodeURIComponent(wanted)}`;
    try {
      const answer = await fetch(address, { cache: "no-store", signal: searching.signal });
      if (!answer.ok || answer.redirected) return;
      records = { wanted, found: await answer.json() };
      if (dialog.open && input.value.trim() === wanted) fill();
    } catch {
      // The pages are found without the server.
    }
  }, SEARCH_MS);
}

function createOption({ link, icon: glyph, label, group, href }, number, hasGroup) {
  const option = Object.assign(document.createElement("a"), { href, id: `palette-${number}`, tabIndex: -1 });
  option.setAttribute("role", "option");
  const icon = glyph ?? $("svg use", link)?.getAttribute("href")?.split("#")[1];
  option.append(createIcon(icon ?? "next"), Object.assign(document.createElement("span"), { textContent: label }));
  if (hasGroup) option.append(Object.assign(document.createElement("span"), { className: "quiet", textContent: group }));
  const row = document.createElement("li");
  row.setAttribute("role", "none");
  row.append(option);
  return row;
}

function choose(option) {
  for (const each of $$("[role=option]", list)) each.setAttribute("aria-selected", String(each === option));
  if (option) input.setAttribute("aria-activedescendant", option.id);
  else input.removeAttribute("aria-activedescendant");
  option?.scrollIntoView({ block: "nearest" });
}

function fill() {
  const wanted = plain(input.value.trim());
  const found = listLinks()
    .map((each) => ({ ...each, score: rate(plain(each.label), wanted) || (rate(plain(each.group), wanted) > 1 ? 0.5 : 0) }))
    .filter(({ score }) => score > 0);
  if (wanted) found.sort((one, other) => other.score - one.score);
  // A record that the server found comes after the pages whose names begin with what was typed.
  if (wanted && records.wanted === input.value.trim()) found.splice(found.filter(({ score }) => score >= 3).length, 0, ...records.found);
  const rows = [];
  let group = null;
  for (const [number, each] of found.slice(0, wanted ? MAX_FOUND : found.length).entries()) {
    if (!wanted && each.group !== group) {
      group = each.group;
      const head = Object.assign(document.createElement("li"), { className: "in", textContent: group });
      head.setAttribute("role", "presentation");
      rows.push(head);
    }
    rows.push(createOption(each, number, wanted !== ""));
  }
  if (!found.length) rows.push(Object.assign(document.createElement("li"), { className: "nothing", textContent: dialog.dataset.nothing }));
  list.replaceChildren(...rows);
  choose($("[role=option]", list));
}

export function openPalette() {
  if (!dialog || dialog.open) return;
  input.value = "";
  fill();
  dialog.showModal();
  input.focus();
}

input?.addEventListener("input", () => {
  fill();
  searchRecords();
});
input?.addEventListener("keydown", (event) => {
  const options = $$("[role=option]", list);
  const place = options.findIndex((each) => each.getAttribute("aria-selected") === "true");
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === "Enter") {
    event.preventDefault();
    options[place]?.click();
  } else if (step && options.length) {
    event.preventDefault();
    choose(options[(place + step + options.length) % options.length]);
  }
});
list?.addEventListener("click", (event) => {
  if (event.target.closest("a") && !event.ctrlKey && !event.metaKey) dialog.close();
});
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-open-palette]")) openPalette();
});

// "g" and a letter go to a page of the navigation: a letter of its address, which is the same in all languages.
function listTargets() {
  const targets = new Map();
  for (const [number, link] of $$("#navigation nav a").entries()) {
    const words = new URL(link.href).pathname.split("/").filter((word) => /^[a-z]/.test(word));
    const letters = (number === 0 ? "h" : "") + [...words].reverse().join("").replace(/[^a-z]/g, "");
    const letter = [...letters].find((each) => !targets.has(each));
    if (letter) targets.set(letter, link);
  }
  return targets;
}

const help = $("#shortcuts");
const areOff = () => localStorage.getItem(SHORTCUTS_OFF) === "yes";
function showHelp() {
  if (!help || help.open) return;
  const keys = $("dl", help);
  for (const each of $$("[data-target]", keys)) each.remove();
  for (const [letter, link] of listTargets()) {
    const [term, value] = [document.createElement("dt"), document.createElement("dd")];
    term.textContent = getLabel(link);
    value.append(
      Object.assign(document.createElement("kbd"), { textContent: "G" }),
      " ",
      Object.assign(document.createElement("kbd"), { textContent: letter.toUpperCase() }),
    );
    for (const each of [term, value]) each.dataset.target = letter;
    keys.append(term, value);
  }
  help.showModal();
}
const choice = help && $("[data-shortcuts]", help);
if (choice) {
  choice.checked = !areOff();
  choice.onchange = () => localStorage.setItem(SHORTCUTS_OFF, choice.checked ? "no" : "yes");
}
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-dialog=shortcuts]")) {
    help.close();
    showHelp();
  }
});

const isTyping = (target) => target.closest?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]") !== null;
let chainedAt = -Infinity;
document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "k") {
    event.preventDefault();
    openPalette();
    return;
  }
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || areOff() || isTyping(event.target) || $("dialog[open]")) return;
  const isChained = performance.now() - chainedAt < CHAIN_MS;
  chainedAt = -Infinity;
  if (isChained && listTargets().has(event.key)) {
    event.preventDefault();
    listTargets().get(event.key).click();
  } else if (event.key === "g") {
    chainedAt = performance.now();
  } else if (event.key === "/" && $("#search")) {
    event.preventDefault();
    $("#search").focus();
    $("#search").select();
  } else if (event.key === "n" && $("#content .heading a.button:is(.primary, :not(.plain, .quiet, .danger))")) {
    event.preventDefault();
    $("#content .heading a.button:is(.primary, :not(.plain, .quiet, .danger))").click();
  } else if (event.key === "?") {
    showHelp();
  }
});
