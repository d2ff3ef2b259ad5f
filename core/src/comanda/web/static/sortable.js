// Lists that are sorted by dragging, with a mouse by their rows, with a finger by a handle; with the keyboard the handle
// moves its row by the arrow keys. Then the form of the list is sent, whose fields stand in the new order.
import { $, $$, onContent } from "./page.js";

const THRESHOLD_PX = 5;

function finish(list) {
  list.dispatchEvent(new CustomEvent("comanda:sorted", { bubbles: true }));
  list.closest("form")?.requestSubmit($("[type=submit]:not([name])", list.closest("form")) ?? undefined);
}

function findRow(list, event, dragged) {
  return [...list.children].find((row) => {
    const box = row.getBoundingClientRect();
    const isInside = event.clientY >= box.top && event.clientY <= box.bottom && event.clientX >= box.left && event.clientX <= box.right;
    return row !== dragged && isInside;
  });
}

// Whether the pointer is in the second half of a row: its lower one, or in a grid that at the end of the line.
function isPast(row, dragged, event) {
  const box = row.getBoundingClientRect();
  if (Math.abs(box.left - dragged.getBoundingClientRect().left) < 2) return event.clientY > box.top + box.height / 2;
  return event.clientX > box.left + box.width / 2 === (getComputedStyle(row).direction !== "rtl");
}

function drag(list, row, start) {
  let isMoving = false;
  const before = [...list.children];
  const move = (event) => {
    if (!isMoving && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < THRESHOLD_PX) return;
    isMoving = true;
    event.preventDefault();
    row.classList.add("dragged");
    const other = findRow(list, event, row);
    other?.[isPast(other, row, event) ? "after" : "before"](row);
  };
  const end = (event) => {
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
    row.classList.remove("dragged");
    if (!isMoving) return;
    // The click that ends dragging follows no link.
    const swallow = (click) => click.preventDefault();
    addEventListener("click", swallow, { capture: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 50);
    if (event.type === "pointercancel") list.append(...before);
    else if (before.some((each, place) => each !== list.children[place])) finish(list);
  };
  addEventListener("pointermove", move, { passive: false });
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
}

export function sortable(list) {
  list.addEventListener("pointerdown", (event) => {
    const row = [...list.children].find((each) => each.contains(event.target));
    const isHandle = event.target.closest(".handle") !== null;
    if (!row || event.button !== 0 || event.target.closest("[data-sortable]") !== list) return;
    if (!isHandle && (event.pointerType === "touch" || event.target.closest("input, button, select, textarea, summary"))) return;
    drag(list, row, event);
  });
  list.addEventListener("dragstart", (event) => event.preventDefault());
  list.addEventListener("keydown", (event) => {
    const handle = event.target.closest(".handle");
    if (!handle || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
    const row = [...list.children].find((each) => each.contains(handle));
    const other = event.key === "ArrowUp" ? row.previousElementSibling : row.nextElementSibling;
    event.preventDefault();
    if (!other) return;
    other[event.key === "ArrowUp" ? "before" : "after"](row);
    handle.focus();
    finish(list);
  });
}

onContent((root) => $$("[data-sortable]", root).forEach(sortable));
