// Parts of a page that are kept current: by events of the server, and by asking again. Both stop while nobody looks.
import { $, $$, fetchPage, keepFocus, onContent, parsePage, toast } from "./page.js";

const MAX_WAIT_MS = 120_000;

// What somebody is doing in a part is not taken from under their hands.
const isBusy = (part) =>
  $("details[open], dialog[open], .dragged, form.changed, [aria-busy=true]", part) !== null ||
  document.activeElement?.matches("input:not([type=checkbox], [type=radio]), select, textarea") && part.contains(document.activeElement);

function follow(part) {
  const everyMs = Math.max(Number(part.dataset.every) || 15, 2) * 1000;
  let [failures, last, timer, events, isRunning] = [0, null, 0, null, false];

  const stop = () => {
    clearTimeout(timer);
    events?.close();
    document.removeEventListener("visibilitychange", look);
  };
  const schedule = (ms) => {
    clearTimeout(timer);
    timer = setTimeout(refresh, ms);
  };
  const succeed = () => {
    if (failures > 1) part.classList.remove("stale");
    failures = 0;
  };
  const fail = () => {
    failures += 1;
    if (failures !== 2) return;
    part.classList.add("stale");
    toast($("#toasts").dataset.lost, "bad");
  };
  async function refresh() {
    if (!part.isConnected) return stop();
    if (document.hidden || isRunning) return;
    if (isBusy(part)) return schedule(2_000);
    isRunning = true;
    try {
      const answer = await fetchPage(part.dataset.live);
      if (!answer) return stop();
      if (!answer.ok) throw new Error(answer.status);
      const text = await answer.text();
      succeed();
      if (text !== last && !isBusy(part)) {
        const page = parsePage(text);
        if (last !== null || part.innerHTML.trim() !== page.body.innerHTML.trim()) {
          keepFocus(part, () => part.replaceChildren(...($("[data-live]", page) ?? page.body).childNodes));
          part.dispatchEvent(new CustomEvent("comanda:live", { bubbles: true }));
        }
        last = text;
      }
    } catch {
      fail();
    } finally {
      isRunning = false;
    }
    schedule(Math.min(everyMs * 2 ** Math.max(failures - 1, 0), MAX_WAIT_MS));
  }
  function look() {
    if (!document.hidden) schedule(0);
  }
  document.addEventListener("visibilitychange", look);
  if (part.dataset.events) {
    events = new EventSource(part.dataset.events);
    const hear = () => (part.isConnected ? schedule(150) : stop());
    for (const name of ["message", ...(part.dataset.eventNames ?? "").split(" ").filter(Boolean)]) events.addEventListener(name, hear);
  }
  schedule(everyMs);
}

onContent((root) => $$("[data-live]", root).forEach(follow));
