// The ways into the order: an item that is added at once, and those that open the dialog of an item. The dialog's script
// is loaded when the guest first touches the page, and not with it.
import { gettext as _ } from "/own/texts.js";
import * as cart from "./cart.js";
import { items } from "./menu.js";
import { pulse, toast } from "./notices.js";
import { provide, show } from "./overlays.js";

const loadDialog = () => import("./item_dialog.js");
const newLine = (item) => ({ item: item.id, name: item.name, unit: item.price, details: item.details ?? "", variation: item.variation ?? null, extras: [], quantity: 1, note: "" });

export const openItem = (id) => show("item", { line: newLine(items.get(id)) });
export const editLine = (place) => show("item", { line: cart.lines()[place], position: place });

// Adds an item without options at once, and opens the dialog for any other.
export function take(id) {
  const item = items.get(id);
  if (item.choices) {
    openItem(id);
    return;
  }
  const problem = cart.add(newLine(item));
  if (problem) toast(problem);
  else confirmAdded(item.name);
}

export function confirmAdded(name) {
  toast(_("%(item)s is in your order.", { item: name }));
  pulse();
}

provide("item", loadDialog);
for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => loadDialog().catch(() => {}), { once: true, passive: true });
