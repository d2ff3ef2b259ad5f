// Short confirmations where the guest looks: above the bar of the order, and read out.
const SHOWN_MS = 4000;
const place = document.querySelector("[data-toast]");
let waiting = 0;

export function toast(text) {
  clearTimeout(waiting);
  place.textContent = "";
  // Read out again although the text may be the same, and after a dialog has closed.
  setTimeout(() => {
    place.textContent = text;
    waiting = setTimeout(() => { place.textContent = ""; }, SHOWN_MS);
  }, 50);
}

// Draws the eye to the bar; the style sheet leaves it still for those who want less motion.
export function pulse() {
  const bar = document.querySelector("[data-bar]");
  bar?.classList.remove("pulse");
  requestAnimationFrame(() => bar?.classList.add("pulse"));
}
