// Marks the category that the guest is reading, and keeps its link in view.
const links = new Map([...document.querySelectorAll('.sections a[href^="#"]')].map((link) => [link.hash.slice(1), link]));
const sections = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
const READING_LINE = 0.3;
let current = null;
let isWaiting = false;

function mark() {
  isWaiting = false;
  const line = innerHeight * READING_LINE;
  const shown = sections.filter((section) => !section.hidden);
  const read = shown.filter((section) => section.getBoundingClientRect().top <= line).at(-1) ?? shown[0];
  const isEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - 2 && scrollY > 0;
  const found = links.get((isEnd ? shown.at(-1) : read)?.id);
  if (found === current) return;
  current?.removeAttribute("aria-current");
  current = found;
  current?.setAttribute("aria-current", "true");
  if (current) center(current);
}

// Scrolls the row of links alone; the page stays where the guest is.
function center(link) {
  const row = link.closest("ul");
  const [outer, inner] = [row.getBoundingClientRect(), link.getBoundingClientRect()];
  row.scrollBy({ left: inner.left + inner.width / 2 - (outer.left + outer.width / 2) });
}

function schedule() {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(mark);
}

if (sections.length) {
  addEventListener("scroll", schedule, { passive: true });
  addEventListener("resize", schedule, { passive: true });
  mark();
}
