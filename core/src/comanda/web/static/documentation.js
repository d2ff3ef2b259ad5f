// The API reference and the guide: the list of pages on phones, where the reader is, and what is read by other modules.
import "./documentation-code.js";
import "./documentation-search.js";

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

const navigation = $("#navigation");
const opener = $("[data-navigation]");
const PHONE = matchMedia("(max-width: 60rem)");

function showNavigation(isOpen) {
  navigation.classList.toggle("open", isOpen);
  opener.setAttribute("aria-expanded", String(isOpen));
  for (const part of $$(".docs-top, #content")) part.inert = isOpen;
  if (isOpen) $("[data-navigation-close]", navigation).focus();
  else opener.focus();
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-navigation], [data-navigation-close]")) {
    event.preventDefault();
    showNavigation(event.target.closest("[data-navigation]") !== null);
  } else if (navigation.classList.contains("open") && event.target.closest("#navigation a")) showNavigation(false);
  for (const menu of $$(".docs-menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  if (navigation.classList.contains("open")) showNavigation(false);
  for (const menu of $$(".docs-menu[open]")) {
    menu.open = false;
    $("summary", menu).focus();
  }
});
PHONE.addEventListener("change", () => {
  if (navigation.classList.contains("open")) showNavigation(false);
});

// Beside the text the contents are open, above it they are folded.
const contents = $("[data-contents]");
const WIDE = matchMedia("(min-width: 76.01rem)");
const fold = () => contents && (contents.open = WIDE.matches);
WIDE.addEventListener("change", fold);
fold();

// What is read is marked in the list of pages and in the contents, by the address that leads to it.
const places = new Map();
for (const link of $$("#navigation a[href*='#'], [data-contents] a")) {
  const address = new URL(link.href);
  const target = address.pathname === location.pathname && address.hash && document.getElementById(decodeURIComponent(address.hash.slice(1)));
  if (target && !link.hasAttribute("data-navigation-close")) places.set(target, [...(places.get(target) ?? []), link]);
}
let current = null;
function mark() {
  const top = innerHeight * 0.3;
  const read = [...places.keys()].filter((each) => each.getBoundingClientRect().top <= top).at(-1) ?? null;
  if (read === current) return;
  for (const link of places.get(current) ?? []) link.removeAttribute("aria-current");
  current = read;
  for (const link of places.get(current) ?? []) {
    link.setAttribute("aria-current", "location");
    const box = link.closest("#navigation, .docs-contents");
    const [outer, inner] = [box.getBoundingClientRect(), link.getBoundingClientRect()];
    if (inner.top < outer.top + 60 || inner.bottom > outer.bottom - 20) box.scrollTop += inner.top - outer.top - box.clientHeight / 3;
  }
}
let isWaiting = false;
function markSoon() {
  if (isWaiting || !places.size) return;
  isWaiting = true;
  requestAnimationFrame(() => {
    isWaiting = false;
    mark();
  });
}
addEventListener("scroll", markSoon, { passive: true });
markSoon();
const page = $("#navigation summary ~ ul [aria-current], #navigation [aria-current='page'], #navigation details[open]");
if (page && navigation.clientHeight < page.offsetTop) navigation.scrollTop = page.offsetTop - 80;

// A link to an object or a heading inside of what is folded unfolds it. Before it is shown, the heights of what stands
// above are estimated, so that the browser stops at a wrong place; it goes there again once they are known.
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let box = target?.closest("details:not([open])"); box; box = box.parentElement.closest("details:not([open])")) box.open = true;
  requestAnimationFrame(() => requestAnimationFrame(() => target?.scrollIntoView()));
}
addEventListener("hashchange", reveal);
reveal();

// Addresses of the reference before it had pages: /docs/#/Orders/post_restaurants_id_orders.
const old = location.pathname === "/docs/" && /^#\/([^/]+)\/(\w+)$/.exec(decodeURIComponent(location.hash));
if (old) {
  const name = old[1].toLowerCase().replace(/[^a-z0-9]+/g, "-");
  if ($(`#navigation a[href^="/docs/${CSS.escape(name)}/"]`)) location.replace(`/docs/${name}/#${old[2]}`);
}
