// Elements made by scripts. Texts of guests and owners are always inserted as text.
import { gettext as _ } from "/own/texts.js";

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = {
  close: "M5 5l10 10M15 5L5 15",
  before: "M12.5 4.5L7 10l5.5 5.5",
  after: "M7.5 4.5L13 10l-5.5 5.5",
  less: "M4.5 10h11",
  more: "M10 4.5v11M4.5 10h11",
};

export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child != null && child !== ""));
  return element;
}

export function icon(name) {
  const drawing = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  drawing.setAttribute("viewBox", "0 0 20 20");
  drawing.setAttribute("aria-hidden", "true");
  drawing.classList.add("shape", `shape-${name}`);
  path.setAttribute("d", SHAPES[name]);
  drawing.append(path);
  return drawing;
}

// A text that a guest or an owner wrote, in whatever direction it runs.
export const own = (text, attributes = {}) => make("bdi", attributes, text);

// The same within a sentence.
export const isolated = (text) => `\u2068${text}\u2069`;

export function closeButton(onclick) {
  return make("button", { type: "button", class: "plain round", "data-close": true, "aria-label": _("Close"), onclick }, icon("close"));
}

export function problemFor(name) {
  return make("p", { class: "problem", id: `${name}-problem`, "data-problem-of": name });
}

// An option of a row of buttons: a radio that looks like one.
export function pill({ name, value, checked, id }, ...children) {
  return make("label", { class: "pill" }, make("input", { type: "radio", name, value, checked, id }), make("span", {}, children));
}
