// The order being taken, or the next round of an open check. It is kept over a reload, and shared by windows.
import { allItems } from "./menu.js";
import { decimals, session, weight } from "./session.js";

let modes = ["takeaway"];

export const MODE_CODES = ["takeaway", "on-table", "in_store"];
export const offeredModes = () => modes;

export function setModes(offered) {
  modes = MODE_CODES.filter((mode) => offered.includes(mode));
  if (!modes.length) modes = ["takeaway"];
  if (!modes.includes(state().type)) keep({ type: modes[0] });
}

// `order` is the open check that the lines are a round of, as the server showed it last; null for a new order.
// `answers` are what its guest needs of every item, `overrides` why it is taken although some items are not so.
export const state = () => ({ order: null, type: modes[0], table_number: "", customer_name: "", lines: [], answers: {}, overrides: {}, course: null, seat: null, ...session.kept.check });
export const keep = (changes) => session.keep({ check: { ...state(), ...changes } });

const placeOf = ({ order, type, table_number, customer_name }) =>
  order ? `order-${order.id ?? order.key}` : type === "on-table" && table_number ? `table-${table_number}` : `name-${customer_name}`;

// Begins at a table, for a name, with an open check, or at the counter. Lines and answers that were not sent stay where
// they were taken, and are there when somebody comes back; `isDone` if there are none to keep.
export function begin(changes = {}, { isDone = false } = {}) {
  const drafts = { ...session.kept.drafts };
  const before = state();
  if (hasUnsent(before) && !isDone) drafts[placeOf(before)] = { lines: before.lines, answers: before.answers };
  session.keep({ check: null });
  const next = { ...state(), ...changes };
  const { [placeOf(next)]: draft, ...others } = drafts;
  session.keep({ drafts: others, check: { ...next, ...(hasUnsent(next) ? {} : draft) } });
}

const hasUnsent = ({ lines, answers }) => lines.length > 0 || Object.values(answers).flat().some(Boolean);

// Whether lines wait at a table or for an open check that were not sent.
export const hasDraft = (place) => placeOf(place) in (session.kept.drafts ?? {}) || (hasUnsent(state()) && placeOf(state()) === placeOf(place));

const optionsOf = ({ item, variation, extras, note, seat, course, weight_g }) => JSON.stringify([item, variation ?? null, extras, note || "", seat ?? null, course ?? null, weight_g ?? null]);

export function addLine(item, options) {
  const { lines, overrides, seat, course } = state();
  const line = { item: item.id, name: item.name, quantity: 1, seat, course, ...options };
  const same = lines.findIndex((each) => optionsOf(each) === optionsOf(line));
  // What is added was not in what was taken over.
  keep({ overrides: same < 0 ? {} : overrides, lines: same < 0 ? [...lines, line] : lines.map((each, position) => (position === same ? { ...each, quantity: each.quantity + 1 } : each)) });
}

// Changes a line; one without a quantity is taken off.
export function changeLine(position, changes) {
  const lines = state().lines.map((line, place) => (place === position ? { ...line, ...changes } : line));
  keep({ lines: lines.filter((line) => line.quantity > 0) });
}

export const toItems = (lines) => lines.map((line) => ({ item_id: line.item, quantity: line.quantity, variation: line.variation ?? undefined, extras: line.extras, note: line.note || undefined,
  seat: line.seat ?? undefined, course: line.course ?? undefined, weight_g: line.weight_g ?? undefined }));

export function toBody() {
  const { order, lines, answers, overrides, ...chosen } = state();
  const { type, table_number, customer_name } = order ?? chosen;
  return { type, customer_name: customer_name || undefined, table_number: type === "on-table" ? table_number || undefined : undefined, items: toItems(lines), ...(order ? {} : { ...answers, ...overrides }) };
}

// What a line costs by the menu as it is shown: the server's price is another if rules or discounts apply.
export function menuPrice(line) {
  const item = allItems().get(line.item);
  if (!item) return 0;
  const variation = item.variations.find((each) => each.id === line.variation);
  const extras = item.extra_groups.flatMap((group) => group.extras).filter((each) => line.extras.includes(each.id));
  const price = variation?.price ?? item.price;
  return (line.weight_g ? priceOfWeight(price, line.weight_g) : price) + extras.reduce((sum, each) => sum + each.price, 0);
}

// By the server's rule: rounded half up, once.
function priceOfWeight(perKg, grams) {
  const unit = 10 ** decimals();
  return Math.round((Math.round(perKg * unit) * Math.round(grams * 1000)) / 1_000_000) / unit;
}

// Lines as a check has them, priced by the menu as it is shown.
export const toProvisionalLines = (lines) => lines.map((line) => ({
  name: line.name, quantity: line.quantity, unit_price: menuPrice(line), price_label: line.weight_g ? weight(line.weight_g) : null, note: line.note, seat: line.seat, course: line.course, variation: null, extras: [] }));

export const menuTotal = (lines) => Number(lines.reduce((sum, line) => sum + menuPrice(line) * line.quantity, 0).toFixed(3));
