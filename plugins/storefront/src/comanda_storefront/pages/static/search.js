// Finding items of the menu by word and by diet.
import { ngettext } from "/own/texts.js";
import { allowExternal } from "./photos.js";

const finder = document.querySelector("[data-finder]");
const found = document.querySelector("[data-found]");
const dishes = [...document.querySelectorAll("[data-item]")];
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

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
  for (const section of document.querySelectorAll("[data-category]")) {
    section.hidden = !section.querySelector("[data-item]:not([hidden])");
    const link = document.querySelector(`.sections a[href="#${section.id}"]`);
    if (link) link.parentElement.hidden = section.hidden;
  }
  found.textContent = words.length || flags.length ? ngettext("%(num)s of %(total)s found.", "%(num)s of %(total)s found.", count, { total: dishes.length }) : "";
}

if (finder) {
  finder.addEventListener("input", find);
  finder.addEventListener("submit", (event) => event.preventDefault());
  // The guest may have typed before this was loaded.
  find();
  finder.querySelector("[data-photos] button")?.addEventListener("click", allowExternal);
}
