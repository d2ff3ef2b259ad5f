// A store's page: search and filters, adding items, and opening the order.
import { gettext as _, ngettext } from "/own/texts.js";
import * as cart from "./cart.js";
import { open } from "./checkout.js";
import { take } from "./choice.js";
import { table } from "./fields.js";
import { items, money, shop } from "./menu.js";

document.documentElement.classList.add("js");
const finder = document.querySelector("[data-finder]");
const found = document.querySelector("[data-found]");
const dishes = [...document.querySelectorAll("[data-item]")];
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function showCart() {
  const count = cart.count();
  document.querySelectorAll("[data-count]").forEach((place) => { place.textContent = count ? `(${count})` : ""; });
  document.querySelector("[data-subtotal]").textContent = money(cart.subtotal());
  document.querySelector("[data-bar]").hidden = !count;
}

function find() {
  const words = plain(finder.querySelector("#search").value).split(/\s+/).filter(Boolean);
  const flags = [...finder.querySelectorAll('[name="flag"]:checked')].map((box) => box.value);
  let count = 0;
  for (const dish of dishes) {
    const own = (dish.dataset.flags ?? "").split(" ");
    dish.text ??= plain(dish.firstElementChild.textContent);
    dish.hidden = !(words.every((word) => dish.text.includes(word)) && flags.every((flag) => own.includes(flag)));
    if (!dish.hidden) count += 1;
  }
  for (const section of document.querySelectorAll("main > section")) {
    section.hidden = !section.querySelector("[data-item]:not([hidden])");
    const link = document.querySelector(`.sections a[href="#${section.id}"]`);
    link.parentElement.hidden = section.hidden;
  }
  found.textContent = words.length || flags.length ? ngettext("%(num)s of %(total)s found.", "%(num)s of %(total)s found.", count, { total: dishes.length }) : "";
}

// Photos on other hosts would reveal who reads this menu, so guests must request them once.
function showPhotos() {
  for (const photo of document.querySelectorAll("img[data-src]")) {
    photo.src = photo.dataset.src;
    photo.hidden = false;
  }
  document.querySelector("[data-photos]").hidden = true;
  try {
    localStorage.setItem(`comanda.photos.${shop.store}`, "1");
  } catch {
    // The guest is asked again next time.
  }
}

if (finder) {
  finder.addEventListener("input", find);
  finder.addEventListener("submit", (event) => event.preventDefault());
  const photos = finder.querySelector("[data-photos] button");
  photos?.addEventListener("click", showPhotos);
  try {
    if (photos && localStorage.getItem(`comanda.photos.${shop.store}`)) showPhotos();
  } catch {
    // Storage is unavailable.
  }
}
document.addEventListener("click", (event) => {
  const add = event.target.closest("[data-add]");
  if (add) take(items.get(Number(add.closest("[data-item]").dataset.item)));
  if (event.target.closest("[data-open-order]")) open();
});
if (table) {
  const badge = document.querySelector("[data-table]");
  badge.textContent = _("Table %(table)s", { table });
  badge.hidden = false;
}
cart.onChange(showCart);
showCart();
