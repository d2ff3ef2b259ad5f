// Order tracking: the changing part of the page arrives as events, or by polling if those are unavailable.
import { drawMap } from "/own/place_map.js";
import { locale } from "/own/texts.js";
import "./order_push.js";

document.documentElement.classList.add("js");
const progress = document.getElementById("progress");
const heard = document.querySelector("[data-heard]");
const titleEnd = document.title.slice(progress.querySelector("[data-title]").dataset.title.length);
document.querySelector("[data-print]")?.addEventListener("click", () => print());

const distance = (meters) => {
  const [unit, amount] = meters < 1000 ? ["meter", meters] : ["kilometer", meters / 1000];
  return new Intl.NumberFormat(locale, { style: "unit", unit }).format(amount);
};

function draw() {
  for (const map of progress.querySelectorAll("[data-map]")) drawMap(map, JSON.parse(map.dataset.map), { format: distance });
}

// What is read out: the state and the expected time, and nothing while they stay the same.
const read = () => [".headline", ".expected"].map((name) => progress.querySelector(name)?.textContent.trim().replace(/\s+/g, " ")).filter(Boolean).join(" ");
let known = read();

function tell() {
  document.title = progress.querySelector("[data-title]").dataset.title + titleEnd;
  if (read() === known) return;
  known = read();
  heard.textContent = known;
}

const isSame = (old, part) => {
  if (!old.dataset.map || !part.dataset.map) return old.outerHTML === part.outerHTML;
  // The drawing stays, and its places move.
  old.dataset.map = part.dataset.map;
  return true;
};

// What was ordered stands outside of the part that comes as events.
const amendments = (root) => root.querySelector("[data-amendments]")?.dataset.amendments;

progress.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-cancel]");
  if (!button || !confirm(button.dataset.question)) return;
  button.disabled = true;
  const answer = await fetch(`/api/v1/track/${button.dataset.cancel}/cancel`, { method: "POST" }).catch(() => null);
  if (answer?.ok) location.reload();
  else {
    button.disabled = false;
    heard.classList.remove("only-read");
    heard.textContent = answer ? (await answer.json()).message : button.dataset.failed;
  }
});

// Updates only the parts that changed, so that focus and the drawing of the map stay.
function show(html) {
  if (!html) {
    location.reload();
    return;
  }
  if (amendments(new DOMParser().parseFromString(html, "text/html")) !== amendments(progress)) {
    location.reload();
    return;
  }
  const parts = [...new DOMParser().parseFromString(html, "text/html").body.children];
  const old = [...progress.children];
  parts.forEach((part, place) => {
    if (!old[place]) progress.append(part);
    else if (!isSame(old[place], part)) old[place].replaceWith(part);
  });
  old.slice(parts.length).forEach((part) => part.remove());
  draw();
  tell();
}

function follow() {
  const source = new EventSource(progress.dataset.events);
  source.addEventListener("progress", (event) => {
    const { html, is_finished: isFinished } = JSON.parse(event.data);
    if (isFinished) {
      source.close();
      progress.dataset.finished = "";
    }
    show(html);
  });
  source.addEventListener("error", () => {
    // Reconnects automatically unless it was refused.
    if (source.readyState === EventSource.CLOSED) setTimeout(ask, 15_000);
  });
}

async function ask() {
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    if (answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      show(page.getElementById("progress").innerHTML);
      if (page.getElementById("progress").hasAttribute("data-finished")) {
        progress.dataset.finished = "";
        return;
      }
    }
  } catch {
    // The connection is lost and may come back.
  }
  setTimeout(ask, 15_000);
}

draw();
if (!progress.hasAttribute("data-finished")) follow();
