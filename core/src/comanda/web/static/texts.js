// Texts of scripts in the language of the page, which gives their translations in <script data-texts>; English has none.
const texts = {};
for (const block of document.querySelectorAll("script[data-texts]")) Object.assign(texts, JSON.parse(block.textContent));

const language = document.documentElement.lang || "en";
const rules = new Intl.PluralRules(language);

// The locale for numbers and times: Latin digits and 24 hours in every language, as in the rest of the page.
export const locale = `${language}-u-hc-h23-nu-latn`;

// English dates are those of the rest of the page, which are not the ones of the United States.
export const dayLocale = locale.replace(/^en\b/, "en-GB");

// Returns day and time in a time zone as the server writes them: with the year in place of the weekday if it is another.
export function formatMoment(iso, timeZone) {
  const moment = new Date(iso);
  const year = (when) => new Intl.DateTimeFormat("en", { timeZone, year: "numeric" }).format(when);
  const part = year(moment) === year(new Date()) ? { weekday: "short" } : { year: "numeric" };
  const day = new Intl.DateTimeFormat(dayLocale, { timeZone, ...part, day: "numeric", month: "short" }).format(moment);
  const time = new Intl.DateTimeFormat(dayLocale, { timeZone, hour: "2-digit", minute: "2-digit" }).format(moment);
  return `${language === "en" ? day.replace(",", "") : day}${language === "ar" ? "،" : ","} ${time}`;
}

const itemWords = JSON.parse(document.querySelector("script[data-item-words]")?.textContent ?? "{}");

// Returns what an item or a line contains, given codes by field: sentences such as "Contains: Wheat, Milk".
export function describeFacts(facts) {
  const known = Object.entries(facts ?? {}).filter(([field, codes]) => field in itemWords && Array.isArray(codes) && codes.length);
  return known.map(([field, codes]) => `${itemWords[field]}: ${codes.map((code) => itemWords[code] ?? code).join(", ")}`);
}

const fill = (text, values) =>
  text.replace(/%\((\w+)\)s|%%/g, (found, name) => (found === "%%" ? "%" : String(values[name] ?? found)));

// Returns a text in the page's language, with its named placeholders such as %(name)s filled.
export function gettext(text, values = {}) {
  return fill(typeof texts[text] === "string" ? texts[text] : text, values);
}

// Returns a text that means something else in other contexts; a context and a text are separated as gettext does it.
export function pgettext(context, text, values = {}) {
  return fill(texts[`${context}\u0004${text}`] ?? text, values);
}

// Returns the form of a text for a number, which %(num)s stands for.
export function ngettext(singular, plural, number, values = {}) {
  const forms = texts[singular];
  const english = number === 1 ? singular : plural;
  const text = forms && typeof forms === "object" ? (forms[rules.select(number)] ?? forms.other) : english;
  return fill(text, { num: number, ...values });
}
