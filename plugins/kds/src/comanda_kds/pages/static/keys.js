// Keys of keyboards and bump bars. A bump bar sends the keys of a keyboard, and which ones differs: each can be chosen.
import { gettext as _ } from "/own/texts.js";
import { keep, session } from "./api.js";
import { make } from "./drawing.js";

const COMMANDS = [
  ["bump", "Enter", _("Bump what is selected")],
  ["recall", "r", _("Take back one step; else the ticket served last")],
  ["whole", "a", _("Bump the whole ticket")],
  ["next", "p", _("Next page")],
  ["previous", "PageUp", _("Previous page")],
  ["compact", "c", _("Close the gaps")],
  ["all_day", "d", _("All-day counts")],
  ["sold_out", "s", _("Sold out")],
  ["mute", "m", _("Sound on or off")],
  ["help", "?", _("These keys")],
];
const ALSO = { PageDown: "next", "/": "help", " ": "bump" };
const SHOWN = { " ": _("Space"), Enter: _("Enter") };

const chosen = () => ({ ...Object.fromEntries(COMMANDS.map(([name, key]) => [name, key])), ...session().keys });
const normal = (key) => (key.length === 1 ? key.toLowerCase() : key);

// The command of a key, "1" to "9" for a ticket, or nothing.
export function commandOf(event) {
  const key = normal(event.key);
  const found = Object.entries(chosen()).find(([, each]) => each === key);
  if (found) return found[0];
  return /^[1-9]$/.test(key) ? key : (ALSO[key] ?? null);
}

// Fills the help; a button waits for the key that its command shall have.
export function drawKeys(list) {
  list.replaceChildren(
    ...COMMANDS.map(([name, , label]) => {
      const key = chosen()[name];
      const button = make("button", { type: "button", class: "plain", "data-command": name, "aria-label": _("%(command)s: %(key)s. Change the key", { command: label, key: SHOWN[key] ?? key }) }, make("kbd", {}, SHOWN[key] ?? key.toUpperCase()));
      return make("li", {}, make("span", {}, label), button);
    }),
  );
}

export function followKeys(list) {
  let waiting = null;
  list.addEventListener("click", (event) => {
    waiting = event.target.closest("[data-command]");
    if (waiting) waiting.textContent = _("Press a key");
  });
  list.addEventListener("keydown", (event) => {
    if (!waiting || ["Tab", "Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    const name = waiting.dataset.command;
    waiting = null;
    if (event.key !== "Escape") {
      const others = Object.fromEntries(Object.entries(session().keys ?? {}).filter(([, key]) => key !== normal(event.key)));
      keep({ keys: { ...others, [name]: normal(event.key) } });
    }
    drawKeys(list);
    list.querySelector(`[data-command="${name}"]`).focus();
  });
}
