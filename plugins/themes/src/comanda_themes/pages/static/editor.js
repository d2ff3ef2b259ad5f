// The editor of a theme: sections are arranged and settings changed; each change is saved as a draft and then shown in
// the preview, which keeps its place.
import { make } from "/own/dom.js";
import { $, $$, createIcon } from "/own/page.js";
import { sortable } from "/own/sortable.js";
import { gettext as _ } from "/own/texts.js";
import { makeField } from "./editor_fields.js";

const SAVE_DELAY_MS = 400;
const FIXED = "fixed";
const root = $("[data-editor]");
const { draft, choices, preview } = JSON.parse($("[data-editor-data]").textContent);
const { form, settings_data: data } = draft;
const frame = $("[data-preview]", root);
const open = new Set();
let revision = draft.revision;
let timer = null;
let isUnsaved = false;
let saving = Promise.resolve();

const listOf = (place) => (data.sections[place] ??= { order: [], items: {} });
const createId = (type, taken) => {
  for (let number = 1; ; number += 1) if (!taken.includes(`${type}-${number}`)) return `${type}-${number}`;
};

// The process that renders themes takes a while to start.
const showBusy = (isBusy) => $("[data-frame]", root).setAttribute("aria-busy", String(isBusy));
frame.addEventListener("load", () => showBusy(false));
if (frame.contentDocument?.readyState === "complete" && frame.contentWindow.location.href !== "about:blank") showBusy(false);

function showProblem(text) {
  const line = $("[data-problem]", root);
  line.hidden = !text;
  line.textContent = text ?? "";
}

function reload() {
  const { scrollX, scrollY } = frame.contentWindow ?? { scrollX: 0, scrollY: 0 };
  const there = frame.contentWindow?.location;
  frame.addEventListener("load", () => frame.contentWindow?.scrollTo(scrollX, scrollY), { once: true });
  // A guest's click may have led to another page of the store, which stays open.
  const address = new URL(preview, location.origin);
  if (there && there.origin === location.origin && there.pathname.startsWith(address.pathname)) address.pathname = there.pathname;
  showBusy(true);
  frame.src = address.href;
}

async function save() {
  const body = new URLSearchParams({ csrf_token: root.dataset.token, revision, data: JSON.stringify(data) });
  const status = $("[data-status]", root);
  let answer = {};
  try {
    answer = await (await fetch(root.dataset.path, { method: "POST", body })).json();
  } catch {
    answer = { problem: _("The change could not be saved. Check your connection.") };
  }
  showProblem(answer.problem);
  if (answer.revision === undefined) {
    status.textContent = _("Not saved");
    return;
  }
  revision = answer.revision;
  if (timer === null) isUnsaved = false;
  const publish = $("[data-publish]", root);
  publish.elements.revision.value = revision;
  $("button", publish).disabled = false;
  status.textContent = isUnsaved ? _("Saving…") : _("Unpublished changes");
  reload();
}

function changed() {
  $("[data-status]", root).textContent = _("Saving…");
  isUnsaved = true;
  clearTimeout(timer);
  timer = setTimeout(() => { timer = null; saving = saving.then(save); }, SAVE_DELAY_MS);
}

// Who leaves before a change is saved is asked.
addEventListener("beforeunload", (event) => { if (isUnsaved) event.preventDefault(); });

// Publishing waits for what is still being saved.
$("[data-publish]", root).addEventListener("submit", (event) => {
  if (timer === null) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  clearTimeout(timer);
  timer = null;
  saving = saving.then(save).then(() => event.target.requestSubmit());
}, { capture: true });

const setValue = (values, name) => (value) => {
  if (value === null) delete values[name];
  else values[name] = value;
  changed();
};

const makeFields = (settings, values) => settings.map((one) => makeField(one, values[one.id], choices, setValue(values, one.id)));

function iconButton(glyph, label, key, press, disabled = false) {
  return make("button", { type: "button", class: "quiet round small", "aria-label": label, title: label, "data-key": key, disabled, onclick: press }, createIcon(glyph));
}

// Shows the arrangement anew and returns the focus to where it was, or to what is named.
function show(focus = document.activeElement?.dataset?.key) {
  $("[data-places]", root).replaceChildren(...form.places.map(makePlace), ...makeFixed());
  const target = focus && $(`[data-key="${CSS.escape(focus)}"]`, root);
  if (target?.disabled) target.parentElement.querySelector("button:not(:disabled)")?.focus();
  else target?.focus();
}

function restructured(focus) {
  show(focus);
  changed();
}

function move(order, from, to, key) {
  order.splice(to, 0, ...order.splice(from, 1));
  restructured(key);
}

// A row that opens: its handle, its name, buttons to move and remove it, and its fields.
function makeRow({ key, name, order, index, remove, body }) {
  const isOpen = open.has(key);
  const toggle = make("button", {
    type: "button", class: "quiet name", dir: "auto", "aria-expanded": String(isOpen), "data-key": key,
    onclick: () => { if (!open.delete(key)) open.add(key); show(key); },
  }, name);
  const head = make("div", { class: "head" },
    order ? make("span", { class: "handle", "aria-hidden": "true" }, createIcon("handle")) : null, toggle,
    order ? iconButton("up", _("Move %(name)s up", { name }), `${key}-up`, () => move(order, index, index - 1, `${key}-up`), index === 0) : null,
    order ? iconButton("down", _("Move %(name)s down", { name }), `${key}-down`, () => move(order, index, index + 1, `${key}-down`), index === order.length - 1) : null,
    remove ? iconButton("trash", _("Remove %(name)s", { name }), `${key}-remove`, remove) : null);
  return make("li", { class: "editor-row", "data-row": key }, head, isOpen ? make("div", { class: "body stack" }, body()) : null);
}

function makeList(rows, label, order, keyOf) {
  const list = make("ol", { class: "editor-list", "aria-label": label, "data-sortable": true }, rows);
  sortable(list);
  list.addEventListener("comanda:sorted", (event) => {
    event.stopPropagation();
    const keys = [...list.children].map((row) => row.dataset.row);
    order.sort((one, other) => keys.indexOf(keyOf(one)) - keys.indexOf(keyOf(other)));
    restructured();
  });
  return list;
}

function makeBlocks(section, schema, key) {
  const kinds = schema.blocks ?? [];
  if (!kinds.length) return null;
  const blocks = (section.blocks ??= []);
  const keyOf = (block) => `${key}.${block.id}`;
  const rows = blocks.map((block, index) => {
    const kind = kinds.find((one) => one.type === block.type);
    return makeRow({
      key: keyOf(block), name: kind?.name ?? block.type, order: blocks, index,
      remove: () => { blocks.splice(index, 1); restructured(key); },
      body: () => makeFields(kind?.settings ?? [], (block.settings ??= {})),
    });
  });
  const free = kinds.filter((kind) => !kind.limit || blocks.filter((block) => block.type === kind.type).length < kind.limit);
  const add = (type) => {
    const id = createId(type, blocks.map((block) => block.id));
    blocks.push({ id, type, settings: {} });
    open.add(`${key}.${id}`);
    restructured(`${key}.${id}`);
  };
  const options = blocks.length < (schema.max_blocks ?? 50) ? free.map((kind) => [kind.type, kind.name]) : [];
  return make("div", { class: "stack tight" }, makeList(rows, _("Parts of %(name)s", { name: schema.name }), blocks, keyOf), makeAdd(options, _("Add a part"), `${key}-add`, add));
}

function makeAdd(options, label, key, add) {
  if (!options.length) return null;
  const select = make("select", { "aria-label": label, "data-key": key, onchange: () => select.value && add(select.value) },
    make("option", { value: "" }, label), options.map(([value, text]) => make("option", { value }, text)));
  return select;
}

function makeSectionBody(section, schema, key) {
  return [...makeFields(schema.settings ?? [], (section.settings ??= {})), makeBlocks(section, schema, key)].filter(Boolean);
}

function listPresets(place, items) {
  return Object.entries(form.sections).flatMap(([type, schema]) => {
    const isFull = schema.limit && Object.values(items).filter((one) => one.type === type).length >= schema.limit;
    const isElsewhere = schema.templates && !schema.templates.includes(place) && TEMPLATES.has(place);
    return isFull || isElsewhere ? [] : (schema.presets ?? []).map((preset, number) => [`${type} ${number}`, preset.name]);
  });
}

const TEMPLATES = new Set(["index", "menu", "category", "item", "search", "404"]);
const PLACE_NAMES = {
  index: _("Home page"), menu: _("Menu page"), category: _("Category page"), item: _("Item page"),
  search: _("Search page"), 404: _("Page not found"), header: _("Header"), footer: _("Footer"),
};

function makePlace(place) {
  const { order, items } = listOf(place);
  const keyOf = (id) => `${place}.${id}`;
  const rows = order.map((id, index) => {
    const schema = form.sections[items[id].type] ?? { name: items[id].type };
    return makeRow({
      key: keyOf(id), name: schema.name, order, index,
      remove: () => { order.splice(index, 1); delete items[id]; restructured(`${place}-add`); },
      body: () => makeSectionBody(items[id], schema, keyOf(id)),
    });
  });
  const add = (chosen) => {
    const [type, number] = chosen.split(" ");
    const preset = form.sections[type].presets[Number(number)];
    const id = createId(type, order);
    const blocks = (preset.blocks ?? []).map((block, index) => ({ id: `${block.type}-${index + 1}`, type: block.type, settings: { ...block.settings } }));
    items[id] = { type, settings: { ...preset.settings }, blocks };
    order.push(id);
    open.add(keyOf(id));
    restructured(keyOf(id));
  };
  return make("section", { class: "stack tight" }, make("h2", {}, PLACE_NAMES[place] ?? place),
    makeList(rows, PLACE_NAMES[place] ?? place, order, keyOf), makeAdd(listPresets(place, items), _("Add a section"), `${place}-add`, add));
}

// Sections that stand on every page because the theme places them.
function makeFixed() {
  const { items } = listOf(FIXED);
  const types = form.fixed.filter((type) => form.sections[type].settings?.length || form.sections[type].blocks?.length);
  if (!types.length) return [];
  const rows = types.map((type) => makeRow({
    key: `${FIXED}.${type}`, name: form.sections[type].name,
    body: () => makeSectionBody((items[type] ??= { type, settings: {}, blocks: [] }), form.sections[type], `${FIXED}.${type}`),
  }));
  return [make("section", { class: "stack tight" }, make("h2", {}, _("On every page")), make("ol", { class: "editor-list" }, rows))];
}

function showSettings() {
  const groups = form.theme_settings.map((group) => make("details", { class: "card" }, make("summary", { dir: "auto" }, group.name), make("div", { class: "stack" }, makeFields(group.settings ?? [], data.settings))));
  if (groups.length) $("[data-settings]", root).replaceChildren(make("h2", {}, _("Settings of the theme")), ...groups);
}

for (const button of $$("[data-width]", root)) {
  button.addEventListener("click", () => {
    for (const each of $$("[data-width]", root)) each.setAttribute("aria-pressed", String(each === button));
    $(".editor-frame", root).classList.toggle("phone", button.dataset.width === "phone");
  });
}

show();
showSettings();
