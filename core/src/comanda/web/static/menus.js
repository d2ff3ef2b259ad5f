// Menus, dialogs, the navigation on phones, copying and printing.
import { $, $$, onContent, toast } from "./page.js";

const OPEN_MENUS = "details.menu[open]";

function openDialog(id) {
  const dialog = document.getElementById(id);
  if (!dialog || dialog.open) return;
  dialog.showModal();
  $("[autofocus], [aria-invalid=true], .field :is(input, select, textarea)", dialog)?.focus();
}

const navigation = $("#navigation");
const opener = $("[data-navigation]");
function showNavigation(isOpen) {
  navigation?.classList.toggle("open", isOpen);
  opener?.setAttribute("aria-expanded", String(isOpen));
  for (const part of $$(".top, #content")) part.inert = isOpen;
  if (isOpen) $("[data-navigation-close]", navigation)?.focus();
  else opener?.focus();
}

async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    toast(button.dataset.copied ?? button.dataset.copy);
  } catch {
    // Without permission, or without https, the person copies what is selected for them.
    const text = button.parentElement.querySelector("code, input");
    if (text) getSelection().selectAllChildren(text);
  }
}

document.addEventListener("click", (event) => {
  const { target } = event;
  const find = (selector) => target.closest(selector);
  const found = find("[data-dialog]");
  if (found) {
    event.preventDefault();
    found.closest("details.menu")?.removeAttribute("open");
    openDialog(found.dataset.dialog);
  }
  const close = find("dialog [data-close]");
  if (close) {
    event.preventDefault();
    close.closest("dialog").close();
  }
  // A click beside a dialog closes it, unless something was typed into it.
  if (target.localName === "dialog" && target.open && !$("form.changed", target)) {
    const box = target.getBoundingClientRect();
    const isInside = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    if (!isInside && event.detail) target.close();
  }
  const copier = find("[data-copy]");
  if (copier) copy(copier);
  if (find("[data-print]")) print();
  if (find("[data-navigation], [data-navigation-close]")) {
    event.preventDefault();
    showNavigation(find("[data-navigation]") !== null);
  }
  for (const menu of $$(OPEN_MENUS)) if (!menu.contains(target) || find(".menu .box a")) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    if (navigation?.classList.contains("open")) showNavigation(false);
    for (const menu of $$(OPEN_MENUS)) {
      menu.open = false;
      $("summary", menu).focus();
    }
  }
  const menu = event.target.closest?.(OPEN_MENUS);
  if (menu && ["ArrowDown", "ArrowUp", "Home", "End"].includes(event.key)) {
    const entries = $$(".box :is(a, button):not([hidden])", menu);
    const place = entries.indexOf(document.activeElement);
    const next = { ArrowDown: place + 1, ArrowUp: place < 0 ? entries.length - 1 : place - 1, Home: 0, End: entries.length - 1 }[event.key];
    event.preventDefault();
    entries[(next + entries.length) % entries.length]?.focus();
  }
});

matchMedia("(max-width: 60rem)").addEventListener("change", () => {
  if (navigation?.classList.contains("open")) showNavigation(false);
});

onContent((root) => {
  for (const dialog of $$("dialog[open]", root)) {
    dialog.close();
    openDialog(dialog.id);
  }
  for (const part of $$("[data-dialog][hidden], [data-open-palette][hidden]", root)) part.hidden = false;
  // What is current is in sight, in tabs that are wider than the screen and in a long navigation.
  for (const link of $$(".tabs [aria-current]", root)) link.parentElement.scrollLeft = link.offsetLeft - link.parentElement.offsetLeft - (link.parentElement.clientWidth - link.offsetWidth) / 2;
  const current = $("nav [aria-current]", navigation ?? document.createElement("div"));
  if (current && current.offsetTop + current.offsetHeight > navigation.scrollTop + navigation.clientHeight) navigation.scrollTop = current.offsetTop - navigation.clientHeight / 2;
  if (root !== document && navigation?.classList.contains("open")) showNavigation(false);
});
