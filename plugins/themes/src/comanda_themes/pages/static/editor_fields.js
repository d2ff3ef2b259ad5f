// Fields of a theme's settings, made from their schemas. Each calls back with the new value of its setting.
import { make } from "/own/dom.js";
import { gettext as _ } from "/own/texts.js";

let counter = 0;

function makeChoice(setting, value, options, isOptional) {
  const empty = isOptional ? [["", "–"]] : [];
  const known = value && !options.some(([each]) => each === String(value)) ? [[String(value), String(value)]] : [];
  const select = make("select", {}, [...empty, ...options, ...known].map(([each, text]) => make("option", { value: each }, text)));
  select.value = value == null ? "" : String(value);
  return select;
}

function makeColor(value) {
  const color = /^#[0-9a-f]{3}$/i.test(value ?? "") ? value.replace(/[0-9a-f]/gi, "$&$&") : value;
  return make("input", { type: "color", value: color || "#808080" });
}

// The input of a setting; its value is read by `read`.
function makeInput(setting, value, choices) {
  const shown = value ?? setting.default ?? "";
  if (setting.type === "textarea" || setting.type === "richtext") {
    const area = make("textarea", { rows: 4, maxlength: 5000, dir: "auto", placeholder: setting.placeholder });
    area.value = shown;
    return area;
  }
  if (setting.type === "checkbox") return make("input", { type: "checkbox", role: "switch", checked: shown === true });
  if (setting.type === "select") return makeChoice(setting, shown, setting.options.map((one) => [one.value, one.label]), false);
  if (setting.type === "item" || setting.type === "category") return makeChoice(setting, shown, choices[setting.type], true);
  if (setting.type === "range") {
    return make("input", { type: "range", min: setting.min, max: setting.max, step: setting.step, value: shown });
  }
  if (setting.type === "color") return makeColor(shown);
  const input = make("input", { type: "text", maxlength: setting.type === "text" ? 5000 : 500, dir: setting.type === "text" ? "auto" : "ltr", placeholder: setting.placeholder });
  input.value = shown;
  return input;
}

function read(setting, input) {
  if (setting.type === "checkbox") return input.checked;
  if (setting.type === "range") return Number(input.value);
  return input.value;
}

function makePhotos(input, photos) {
  return make("div", { class: "editor-photos", role: "group", "aria-label": _("Photos of your menu") },
    photos.map(([url, name]) => make("button", {
      type: "button", class: "quiet", "aria-label": _("Use the photo of %(name)s", { name }),
      onclick: () => { input.value = url; input.dispatchEvent(new Event("input", { bubbles: true })); },
    }, make("img", { src: url, alt: "", loading: "lazy" }))));
}

// Returns the field of a setting. `change` is called with the value, or with null for the theme's default.
export function makeField(setting, value, choices, change) {
  const id = `setting-${(counter += 1)}`;
  const input = makeInput(setting, value, choices);
  input.id = id;
  if (setting.info) input.setAttribute("aria-describedby", `${id}-info`);
  const output = setting.type === "range" ? make("output", { for: id }, `${input.value}${setting.unit ?? ""}`) : null;
  input.addEventListener("input", () => {
    if (output) output.textContent = `${input.value}${setting.unit ?? ""}`;
    change(read(setting, input));
  });
  const info = setting.info ? make("p", { class: "hint", id: `${id}-info`, dir: "auto" }, setting.info) : null;
  if (setting.type === "checkbox") {
    return make("div", { class: "field" }, make("label", { class: "switch" }, input, " ", make("span", { dir: "auto" }, setting.label)), info);
  }
  const label = make("label", { for: id, dir: "auto" }, setting.label, output ? " " : null, output);
  const more = [];
  if (setting.type === "image" && choices.image.length) more.push(makePhotos(input, choices.image));
  if (setting.type === "color" && setting.default == null) {
    more.push(make("button", { type: "button", class: "quiet small", onclick: () => change(null) }, _("Use the theme's own colour")));
  }
  return make("div", { class: "field" }, label, input, ...more, info);
}
