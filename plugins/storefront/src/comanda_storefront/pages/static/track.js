// Order tracking: the changing part of the page arrives as events, or by polling if those are unavailable.
document.documentElement.classList.add("js");
const progress = document.getElementById("progress");
document.querySelector("[data-print]").addEventListener("click", () => print());

// Updates only the parts that changed, because screen readers announce every update.
function show(html) {
  if (!html) {
    location.reload();
    return;
  }
  const parts = [...new DOMParser().parseFromString(html, "text/html").body.children];
  const old = [...progress.children];
  parts.forEach((part, place) => {
    if (!old[place]) progress.append(part);
    else if (old[place].outerHTML !== part.outerHTML) old[place].replaceWith(part);
  });
  old.slice(parts.length).forEach((part) => part.remove());
}

function follow() {
  const source = new EventSource(progress.dataset.events);
  source.addEventListener("progress", (event) => {
    const { html, is_finished: isFinished } = JSON.parse(event.data);
    if (isFinished) source.close();
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
      if (page.getElementById("progress").hasAttribute("data-finished")) return;
    }
  } catch {
    // The connection is lost and may come back.
  }
  setTimeout(ask, 15_000);
}

if (!progress.hasAttribute("data-finished")) follow();
