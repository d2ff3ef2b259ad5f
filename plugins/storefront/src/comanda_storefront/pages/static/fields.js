// The fields that depend on the order type: table, time, and those added by plugins.
import { make, shop } from "./menu.js";

const wanted = new URLSearchParams(location.search).get("table");
export const table = wanted && /^[\p{L}\p{N} ._-]{1,20}$/u.test(wanted) ? wanted : null;

const today = () => new Intl.DateTimeFormat("en-CA", { timeZone: shop.zone }).format(new Date());
// How many fully booked days to skip when looking for the first free time.
const DAYS_AHEAD = 7;
const clock = new Intl.DateTimeFormat(document.documentElement.lang, { timeZone: shop.zone, hour: "2-digit", minute: "2-digit", hour12: false });

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
  const value = each.name === "table_number" ? table : null;
  return make("div", { class: "field" }, make("label", { for: id }, each.label),
    make("input", { id, name: each.name, maxlength: each.name === "address" ? 500 : 255, value, "aria-describedby": `${each.name}-problem` }), problemFor(each.name));
}

// A day and one of its free slots. The list comes from the server, in the store's time zone.
function times(mode) {
  const day = make("input", { type: "date", id: "slot-day", min: today(), value: today() });
  const slot = make("select", { id: "slot-time", name: "scheduled_for", "aria-describedby": "scheduled_for-problem" });
  const told = make("p", { class: "quiet", role: "status" });
  const load = async () => {
    const free = (await slots(mode.code, day.value))?.filter((each) => each.is_free);
    told.textContent = !free ? "Times cannot be loaded at the moment." : free.length ? "" : "No times are available on this day.";
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
    make("div", { class: "field" }, make("label", { for: "slot-day" }, "Day"), day),
    make("div", { class: "field" }, make("label", { for: "slot-time" }, "Time"), slot, told, problemFor("scheduled_for")));
}

async function slots(mode, day) {
  try {
    const answer = await fetch(`/api/v1/menu/${shop.store}/slots?${new URLSearchParams({ mode, date: day })}`);
    return answer.ok ? (await answer.json()).slots : null;
  } catch {
    return null;
  }
}
