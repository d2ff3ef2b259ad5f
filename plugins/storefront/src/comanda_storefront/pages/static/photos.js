// Photos on other hosts would reveal who reads this menu, so guests must request them once.
import { shop } from "./menu.js";

const place = `comanda.platform.photos.${shop.store}`;
let isAllowed = false;
try {
  isAllowed = Boolean(localStorage.getItem(place));
} catch {
  // The guest is asked again next time.
}

export const areExternalAllowed = () => isAllowed;

export function allowExternal() {
  isAllowed = true;
  try {
    localStorage.setItem(place, "1");
  } catch {
    // As above.
  }
  showExternal();
}

export function showExternal() {
  if (!isAllowed) return;
  for (const photo of document.querySelectorAll("img[data-src]")) {
    photo.src = photo.dataset.src;
    photo.removeAttribute("data-src");
    photo.hidden = false;
  }
  for (const question of document.querySelectorAll("[data-photos]")) question.hidden = true;
}
