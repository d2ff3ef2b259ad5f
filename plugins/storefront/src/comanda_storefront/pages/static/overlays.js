// Dialogs in the history of the page: Back closes the innermost one and never leaves the store, and a reload opens them
// again. Each entry of the history names the dialogs that are open in it, the outermost first.
import { gettext as _ } from "/own/texts.js";
import { toast } from "./notices.js";

const dialogs = new Map();
// The scripts of dialogs that are loaded when they are first opened.
const loaders = new Map();
let shown = [];
// Steps of the history take effect later, so each one waits for the one before.
let settled = Promise.resolve();
let arrived = null;
// A dialog was opened before the last step back was taken, which will leave its entry.
let isOvertaken = false;
const STEP_TIMEOUT_MS = 1000;

const wanted = () => (Array.isArray(history.state?.overlays) ? history.state.overlays : []);
const loadMissing = (overlays) => Promise.all(overlays.map(({ name }) => (dialogs.has(name) ? null : loaders.get(name)?.())));

export const provide = (name, load) => loaders.set(name, load);

// `open` fills the dialog and `closed` hears that it is closed.
export function register(name, element, { open, closed = () => {} }) {
  dialogs.set(name, { element, open, closed });
  element.addEventListener("cancel", (event) => {
    event.preventDefault();
    hide();
  });
  // A browser may close a dialog without asking.
  element.addEventListener("close", () => {
    if (!element.open && shown.at(-1)?.name === name) hide();
  });
  element.addEventListener("pointerdown", (event) => {
    if (event.target === element) hide();
  });
}

// Opens and closes dialogs until those of the history's entry are open.
async function follow() {
  if (wanted().some(({ name }) => !dialogs.has(name))) await loadMissing(wanted());
  apply(wanted());
}

function apply(named) {
  const overlays = named.filter((each) => dialogs.has(each.name));
  const common = shown.findIndex((each, place) => each.name !== overlays[place]?.name);
  const kept = common < 0 ? shown.length : common;
  const closing = shown.slice(kept).reverse();
  shown = shown.slice(0, kept);
  for (const { name } of closing) {
    const { element, closed } = dialogs.get(name);
    if (element.open) element.close();
    closed();
  }
  for (const overlay of overlays.slice(kept)) {
    const { element, open } = dialogs.get(overlay.name);
    shown = [...shown, overlay];
    open(overlay.data);
    if (!element.open) element.showModal();
  }
}

export function show(name, data = {}) {
  settled = settled.then(() => loadMissing([{ name }])).then(() => {
    const overlays = [...shown, { name, data }];
    isOvertaken = arrived !== null;
    history.pushState({ overlays }, "");
    apply(overlays);
  }).catch(() => toast(_("This could not be loaded. Check the connection and try again.")));
  return settled;
}

export function hide() {
  if (!shown.length) return settled;
  apply(shown.slice(0, -1));
  settled = settled.then(() => new Promise((resolve) => {
    arrived = resolve;
    setTimeout(resolve, STEP_TIMEOUT_MS);
    history.back();
  }));
  return settled;
}

// Keeps with the entry what a dialog needs to open as it is now after a reload.
export function keep(name, data) {
  if (shown.at(-1)?.name !== name) return;
  shown = [...shown.slice(0, -1), { name, data }];
  history.replaceState({ overlays: shown }, "");
}

export const isShown = (name) => shown.some((each) => each.name === name);
export const restore = follow;

addEventListener("popstate", () => {
  arrived?.();
  arrived = null;
  if (isOvertaken) history.pushState({ overlays: shown }, "");
  else follow();
  isOvertaken = false;
});
