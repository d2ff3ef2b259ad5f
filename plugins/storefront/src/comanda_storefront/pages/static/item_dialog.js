// The dialog of an item: photos, description, options, quantity and note; for a new line, or to edit one of the cart.
import { gettext as _ } from "/own/texts.js";
import * as cart from "./cart.js";
import { closeButton, icon, make, own } from "./dom.js";
import { galleryOf } from "./gallery.js";
import { choicesOf, load, unitPrice } from "./item_details.js";
import { confirmAdded } from "./item_entry.js";
import { items, money, shop } from "./menu.js";
import { chosen, firstWrong, optionsOf } from "./options.js";
import { hide, keep, register } from "./overlays.js";
import { allowExternal, areExternalAllowed } from "./photos.js";

const dialog = document.getElementById("item");
const form = dialog.querySelector("form");
const part = (name) => form.querySelector(`[data-${name}]`);
// The line as it was opened, its place in the cart if it is edited, and the item's details once they are known.
let opened = null;
let position = null;
let details = null;

function open(data) {
  opened = data.line;
  position = data.position ?? null;
  details = null;
  form.replaceChildren(
    make("div", { class: "sheet-top" }, closeButton(hide)),
    make("div", { "data-photos-of": true }, firstPhoto(opened.item)),
    make("div", { class: "sheet-body" },
      make("div", { class: "item-head" }, make("h2", { id: "item-title", tabindex: -1 }, own(opened.name)), make("span", { class: "price", "data-price": true }, money(items.get(opened.item)?.price ?? opened.unit))),
      make("div", { "data-about": true }),
      make("div", { "data-options": true, "aria-busy": "true" }),
      make("div", { class: "field" },
        make("label", { for: "line-note" }, _("Note"), " ", make("span", { class: "quiet" }, _("(optional)"))),
        make("input", { id: "line-note", maxlength: 500, autocomplete: "off", enterkeyhint: "done", value: opened.note || null, dir: "auto" })),
      make("p", { class: "problem", role: "alert", "data-problem": true })),
    make("div", { class: "foot" }, stepper(opened.quantity), make("button", { type: "submit", "data-submit": true })));
  update();
  fill(opened.item);
}

// The photo of the card, until the details are here.
function firstPhoto(id) {
  const photo = document.querySelector(`[data-item="${id}"] img[src]`);
  return photo && !photo.hidden ? galleryOf([{ url: photo.currentSrc || photo.src, alt: photo.alt }], opened.name) : null;
}

async function fill(id) {
  try {
    const found = await load(id);
    if (opened?.item !== id || details) return;
    details = found;
    showDetails();
  } catch (error) {
    if (opened?.item === id) showFailure(error.isGone);
  }
}

function showDetails() {
  showPhotos();
  part("price").textContent = money(details.price);
  part("price").hidden = details.variations.length > 0;
  part("about").replaceChildren(
    ...(details.description ? [make("p", { class: "description", dir: "auto" }, details.description)] : []),
    ...(details.facts.length ? [make("p", { class: "facts" }, details.facts.map((fact) => make("span", { class: "badge" }, fact)))] : []),
    ...(details.tables ?? []).map((each) => make("details", {}, make("summary", {}, each.title), make("table", {},
      each.rows.map(([name, text]) => make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, text)))))));
  part("options").replaceChildren(...optionsOf(details, opened));
  part("options").removeAttribute("aria-busy");
  part("problem").textContent = problemOf();
  update();
}

function showPhotos() {
  const allowed = details.pictures.filter((each) => !each.is_external || areExternalAllowed());
  const ask = make("p", { class: "quiet question" }, _("Photos are hosted on other sites."), " ",
    make("button", { type: "button", class: "link", onclick: () => { allowExternal(); showPhotos(); } }, _("Show photos")));
  const isHeld = allowed.length < details.pictures.length;
  part("photos-of").replaceChildren(...[galleryOf(allowed, details.name), isHeld ? ask : null].filter(Boolean));
}

function showFailure(isGone) {
  part("options").removeAttribute("aria-busy");
  part("options").replaceChildren(make("p", { class: "notice bad", role: "alert" },
    isGone ? _("%(item)s is no longer available.", { item: opened.name }) : _("The options could not be loaded."), " ",
    isGone ? null : make("button", { type: "button", class: "link", onclick: () => fill(opened.item) }, _("Try again"))));
}

function stepper(quantity) {
  const output = make("output", { "data-quantity": true, "aria-label": _("Quantity") }, String(quantity));
  const change = (step) => () => {
    output.textContent = Math.min(Math.max(Number(output.textContent) + step, 1), shop.limits.quantity);
    update();
  };
  return make("div", { class: "stepper" },
    make("button", { type: "button", class: "plain round", "aria-label": _("One less"), onclick: change(-1) }, icon("less")), output,
    make("button", { type: "button", class: "plain round", "aria-label": _("One more"), onclick: change(1) }, icon("more")));
}

// The line as it is chosen now.
function line() {
  const choice = details ? chosen(form, details) : { variation: opened.variation, extras: opened.extras };
  const found = { ...opened, ...choice, quantity: Number(part("quantity").textContent), note: form.querySelector("#line-note").value.trim() };
  return details ? { ...found, name: details.name, unit: unitPrice(details, found), details: choicesOf(details, found) } : found;
}

function update() {
  const found = line();
  const price = money(found.unit * found.quantity);
  part("submit").textContent = position === null ? _("Add · %(price)s", { price }) : _("Update · %(price)s", { price });
  if (details) keep("item", { line: found, position: position ?? undefined });
}

function problemOf() {
  if (!details) return items.get(opened.item)?.choices ?? true ? _("The options are not loaded yet.") : "";
  if (details.is_sold_out) return _("%(item)s is sold out.", { item: details.name });
  return details.variations.length && line().variation === null ? _("Every variation is sold out.") : "";
}

form.addEventListener("input", update);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const problem = part("problem");
  problem.textContent = problemOf();
  const wrong = problem.textContent || !details ? null : firstWrong(form, details);
  wrong?.querySelector("input:not(:disabled)")?.focus();
  wrong?.scrollIntoView({ block: "nearest" });
  if (problem.textContent || wrong) return;
  const found = line();
  if (position === null) problem.textContent = cart.add(found);
  else cart.replace(position, found);
  if (problem.textContent) return;
  const isNew = position === null;
  hide();
  if (isNew) confirmAdded(found.name);
});

register("item", dialog, { open, closed: () => { opened = null; } });
