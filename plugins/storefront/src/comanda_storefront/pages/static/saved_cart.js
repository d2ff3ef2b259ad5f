// The cart of a guest who is signed in, kept in the account so that it is there on every device.
import { gettext as _ } from "/own/texts.js";
import { call, customer, onAccount, savedCart } from "./account.js";
import * as cart from "./cart.js";
import { shop } from "./menu.js";
import { toast } from "./notices.js";

const place = `comanda.cart.${shop.store}`;
const DELAY_MS = 400;
const MAX_ATTEMPTS = 3;
const NOTHING = { customer: null, version: 0, lines: [] };
let waiting = 0;
let working = Promise.resolve();

// What this browser and the account had in common last; other tabs of the store write it too.
function readCommon() {
  try {
    const kept = JSON.parse(localStorage.getItem(place));
    return kept?.customer === customer()?.id && Array.isArray(kept?.lines) ? kept : NOTHING;
  } catch {
    return NOTHING;
  }
}

function writeCommon(version, lines) {
  try {
    localStorage.setItem(place, JSON.stringify({ customer: customer().id, version, lines }));
  } catch {
    // Without storage each visit begins with what the account has.
  }
}

export function forget() {
  try {
    localStorage.removeItem(place);
  } catch {
    // There is nothing to forget.
  }
}

const wireLine = ({ item, variation, extras, quantity, note, name, details, unit }) =>
  ({ item, variation: variation ?? null, extras, quantity, note: note ?? "", name: name ?? "", details: details ?? "", unit: unit ?? 0 });
const keyOf = (line) => JSON.stringify([line.item, line.variation ?? null, line.extras, line.note ?? ""]);
const count = (lines) => {
  const found = new Map();
  for (const line of lines) found.set(keyOf(line), (found.get(keyOf(line)) ?? 0) + line.quantity);
  return found;
};
const isSame = (one, other) => {
  const [first, second] = [count(one), count(other)];
  return first.size === second.size && [...first].every(([key, quantity]) => second.get(key) === quantity);
};

// What changed on one side since both were the same is taken from there; where both changed, the larger quantity.
function merge(common, own, theirs) {
  const [before, mine, others] = [count(common), count(own), count(theirs)];
  const lines = new Map([...theirs, ...own].map((line) => [keyOf(line), line]));
  return [...lines].flatMap(([key, line]) => {
    const [base, here, there] = [before.get(key) ?? 0, mine.get(key) ?? 0, others.get(key) ?? 0];
    const quantity = here === base ? there : there === base ? here : Math.max(here, there);
    return quantity ? [{ ...line, quantity: Math.min(quantity, shop.limits.quantity) }] : [];
  }).slice(0, shop.limits.lines);
}

// Brings together the cart of this browser and that of the account.
async function reconcile(found) {
  let saved = found;
  for (let attempt = 0; saved && attempt < MAX_ATTEMPTS; attempt += 1) {
    const own = cart.lines().map(wireLine);
    const merged = merge(readCommon().lines, own, saved.lines);
    if (!isSame(merged, own)) {
      if (own.length && merged.length > own.length) toast(_("Your cart from another device is here too."));
      // Without a name and a price, those of the menu are taken.
      cart.setLines(merged.map((line) => ({ ...line, name: line.name || undefined, unit: line.unit || undefined })));
    }
    writeCommon(saved.version, saved.lines);
    if (isSame(merged, saved.lines)) return;
    saved = await push(merged, saved.version);
  }
}

// Saves the lines; returns the cart of the account if another device has changed it meanwhile.
async function push(lines, version, options = {}) {
  const { status, document } = await call("PUT", "/cart", { lines, version }, options);
  if (status !== 200) return null;
  if (!document.is_saved) return document;
  writeCommon(document.version, document.lines);
  return null;
}

async function save() {
  waiting = 0;
  const common = readCommon();
  const own = cart.lines().map(wireLine);
  if (!customer() || isSame(common.lines, own)) return;
  const theirs = await push(own, common.version);
  if (theirs) await reconcile(theirs);
}

function start() {
  clearTimeout(waiting);
  waiting = 0;
  working = working.then(save);
  return working;
}

// Waits until the account has the cart.
export async function settle() {
  if (customer()) await start();
}

export const render = () => "";
export const value = () => ({});

// The order took the cart, on every device.
export async function placed() {
  clearTimeout(waiting);
  waiting = 0;
  await working;
  if (customer()) await push([], readCommon().version);
}

let known = null;
onAccount(() => {
  const id = customer()?.id ?? null;
  if (id === known) return;
  known = id;
  if (id !== null) working = working.then(() => reconcile(savedCart()));
});
cart.onChange(() => {
  if (!customer()) return;
  clearTimeout(waiting);
  waiting = setTimeout(start, DELAY_MS);
});
addEventListener("pagehide", () => {
  if (waiting) start();
});
