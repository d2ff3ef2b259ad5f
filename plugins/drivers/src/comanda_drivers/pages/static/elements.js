// Elements, amounts and distances, as all parts of the driver's page write them.
import { locale } from "/own/texts.js";

export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== "" && child !== false));
  return element;
}

export function icon(name) {
  const template = document.createElement("template");
  template.innerHTML = `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><use href="/own/icons.svg#${name}"></use></svg>`;
  return template.content.firstChild;
}

// What customers and owners wrote, in the direction of its own writing.
export const words = (tag, text, attributes = {}) => (text ? make(tag, { dir: "auto", ...attributes }, text) : null);

export const act = (name, label, attributes = {}, glyph = null) => make("button", { type: "button", "data-act": name, ...attributes }, glyph && icon(glyph), label);

export function money(amount, currency) {
  return new Intl.NumberFormat(locale, { style: "currency", currency }).format(amount);
}

export function distance(meters) {
  if (meters === null || meters === undefined) return null;
  const [unit, amount] = meters < 950 ? ["meter", Math.round(meters / 50) * 50] : ["kilometer", meters / 1000];
  const digits = unit === "meter" || Number.isInteger(amount) ? 0 : 1;
  return new Intl.NumberFormat(locale, { style: "unit", unit, minimumFractionDigits: digits, maximumFractionDigits: digits }).format(amount);
}
