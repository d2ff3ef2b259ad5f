// The fields that depend on the order type: table, time, and those added by plugins.
import { gettext as _, locale } from "/own/texts.js";
import { make, shop } from "./menu.js";

const wanted = new URLSearchParams(location.search).get("table");
export const table = wanted && /^[\p{L}\p{N} ._-]{1,20}$/u.test(wanted) ? wanted : null;

const today = () => new Intl.DateTimeFormat("en-CA", { timeZone: shop.zone }).format(new Date());
// How many fully booked days to skip when looking for the first free time.
const DAYS_AHEAD = 7;
const clock = new Intl.DateTimeFormat(locale, { timeZone: shop.zone, hour: "2-digit", minute: "2-digit", hour12: false });

const zoned = new Intl.DateTimeFormat("sv-SE", { timeZone: shop.zone, year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" });
const INPUT_TYPES = { datetime: "datetime-local", date: "date", time: "time", number: "number" };

export function problemFor(name) {
  return make("p", { class: "problem", id: `${name}-problem`, "data-problem-of": name });
}

export function modeChoice(mode, isFirst) {
  return make("label", { class: "option" },
    make("input", { type: "radio", name: "type", value: mode.code, checked: isFirst }), make("span", {}, mode.label));
}

export function fieldsOf(mode) {
  return [...mode.fields.map(field), ...(mode.scheduled ? [times(mode)] : [])];
}

function field(each) {
  const id = `field-${each.name}`;
  if (each.kind === "yes") {
    return make("div", { class: "field" },
      make("label", { class: "option" }, make("input", { type: "checkbox", name: each.name, id }), make("span", {}, each.label)), problemFor(each.name));
  }
  return make("div", { class: "field" }, make("label", { for: id }, each.label), control(each, id), problemFor(each.name));
}

function control(each, id) {
  const common = { id, name: each.name, "aria-describedby": `${each.name}-problem` };
  if (each.kind === "choice") return choice(each, common);
  if (each.kind in INPUT_TYPES) {
    const step = each.kind === "number" ? "any" : null;
    return make("input", { ...common, type: INPUT_TYPES[each.kind], min: each.min ?? null, max: each.max ?? null, step });
  }
  const value = each.name === "table_number" ? table : null;
  return make("input", { ...common, maxlength: each.max_length ?? (each.name === "address" ? 500 : 255), value });
}

// A list of options; with an address it is loaded from this site, as [{value, label}] or as the data of a page of them.
function choice(each, common) {
  const select = make("select", { ...common, "data-kind": typeof each.choices[0]?.value });
  const show = (choices) => select.replaceChildren(make("option", { value: "" }, _("Please choose")),
    ...choices.map((one) => make("option", { value: one.value }, one.label ?? String(one.value))));
  show(each.choices);
  if (each.choices_url) {
    (async () => {
      try {
        const answer = await fetch(each.choices_url);
        const found = answer.ok ? await answer.json() : [];
        const choices = Array.isArray(found) ? found : found.data ?? [];
        select.dataset.kind = typeof choices[0]?.value;
        show(choices);
      } catch {
        show([]);
      }
    })();
  }
  return select;
}

// The value of a control as the order's body has it; undefined if it is empty.
export function valueOf(control) {
  if (control.type === "checkbox") return control.checked;
  const text = control.value.trim();
  if (!text) return undefined;
  if (control.type === "number" || control.dataset.kind === "number") return Number(text);
  return control.type === "datetime-local" ? toInstant(text) : text;
}

// A local time without an offset is one of the store's time zone.
function toInstant(local) {
  const asUtc = new Date(`${local.slice(0, 16)}:00Z`);
  const shown = new Date(`${zoned.format(asUtc).replace(" ", "T")}Z`);
  return new Date(asUtc.getTime() - (shown - asUtc)).toISOString();
}

// A day and one of its free slots. The list comes from the server, in the store's time zone.
function times(mode) {
  const day = make("input", { type: "date", id: "slot-day", min: today(), value: today() });
  const slot = make("select", { id: "slot-time", name: "scheduled_for", "aria-describedby": "scheduled_for-problem" });
  const told = make("p", { class: "quiet", role: "status" });
  const load = async () => {
    const free = (await slots(mode.code, day.value))?.filter((each) => each.is_free);
    told.textContent = !free ? _("Times cannot be loaded at the moment.") : free.length ? "" : _("No times are available on this day.");
    slot.replaceChildren(...(free ?? []).map((each) => make("option", { value: each.starts_at }, clock.format(new Date(each.starts_at)))));
    slot.dispatchEvent(new Event("change", { bubbles: true }));
    return free?.length === 0;
  };
  day.addEventListener("change", load);
  (async () => {
    for (let ahead = 0; ahead < DAYS_AHEAD && (await load()); ahead += 1) {
      day.valueAsNumber += 86_400_000;
    }
  })();
  return make("div", {},
    make("div", { class: "field" }, make("label", { for: "slot-day" }, _("Day")), day),
    make("div", { class: "field" }, make("label", { for: "slot-time" }, _("Time")), slot, told, problemFor("scheduled_for")));
}

async function slots(mode, day) {
  try {
    const answer = await fetch(`/api/v1/menu/${shop.store}/slots?${new URLSearchParams({ mode, date: day })}`);
    return answer.ok ? (await answer.json()).slots : null;
  } catch {
    return null;
  }
}
