// The photos of an item: one is shown, the others follow by swiping, with the arrows, or with the keys.
import { gettext as _ } from "/own/texts.js";
import { icon, make } from "./dom.js";

const SIZES = "(min-width: 40rem) 34rem, 100vw";

// Returns the gallery of pictures, or nothing without any.
export function galleryOf(pictures, name) {
  if (!pictures.length) return null;
  const strip = make("div", { class: "strip", tabindex: pictures.length > 1 ? 0 : null }, pictures.map(photo));
  const gallery = make("div", { class: "gallery", role: "group", "aria-label": _("Photos of %(item)s", { item: name }) }, strip);
  if (pictures.length > 1) gallery.append(...controls(strip, pictures.length));
  return gallery;
}

function photo(picture, place) {
  return make("img", {
    src: picture.url, srcset: picture.srcset, sizes: picture.srcset ? SIZES : null, alt: picture.alt, width: 640, height: 480, decoding: "async",
    loading: place ? "lazy" : "eager", fetchpriority: place ? null : "high", referrerpolicy: "no-referrer",
  });
}

function controls(strip, count) {
  const position = make("output", { class: "position", dir: "ltr", "aria-live": "polite" });
  const current = () => Math.round(Math.abs(strip.scrollLeft) / strip.clientWidth) || 0;
  const scroll = (step) => {
    const place = Math.min(Math.max(current() + step, 0), count - 1);
    strip.children[place].scrollIntoView({ block: "nearest", inline: "center" });
  };
  const arrow = (step, shape, label) => make("button", { type: "button", class: `plain round ${shape}`, "aria-label": label, onclick: () => scroll(step) }, icon(shape));
  const [before, after] = [arrow(-1, "before", _("Photo before")), arrow(1, "after", _("Next photo"))];
  const update = () => {
    position.textContent = `${current() + 1} / ${count}`;
    before.setAttribute("aria-disabled", current() === 0);
    after.setAttribute("aria-disabled", current() === count - 1);
  };
  strip.addEventListener("scroll", update, { passive: true });
  update();
  return [before, after, position];
}
