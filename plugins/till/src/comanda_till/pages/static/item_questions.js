// What a guest needs of every item, such as no peanuts: plugins say what to ask, and the server whether an item is so.
import { gettext as _, describeFacts } from "/own/texts.js";
import { make } from "/own/dom.js";
import { field, openLineDialog } from "./line_options.js";
import { allItems } from "./menu.js";
import { keep, state } from "./order_state.js";

const questions = JSON.parse(document.querySelector("script[data-item-questions]").textContent);
const inputs = questions.flatMap((each) => each.inputs);

// Returns a button for each question, and what was answered; an order that was placed keeps its answers.
export function showQuestions({ order, answers, overrides }, changed) {
  const asked = order ? [] : questions.filter(isAsked).map((each) =>
    make("button", { type: "button", class: "plain compact", "aria-haspopup": "dialog", onclick: () => ask(each, changed) }, each.title));
  return [...asked, ...describe(order ?? { ...answers, ...overrides }).map((each) => make("p", {}, each))];
}

// Asked only where an item says something about it.
const isAsked = ({ item_fields }) => [...allItems().values()].some((item) => item_fields.some((name) => name in item));

function describe(answers) {
  return inputs.filter(({ name, kind }) => kind !== "yes" && answers[name]?.length).map(({ name, label, choices }) =>
    `${label}: ${[answers[name]].flat().map((value) => choices?.find((each) => each.value === value)?.label ?? value).join(", ")}`);
}

function ask({ title, inputs: all }, changed) {
  const { answers } = state();
  const own = all.filter((each) => !each.staff);
  const { form, close } = openLineDialog(title, own.map((each) => control(each, answers[each.name])), buttons(() => close()));
  form.addEventListener("submit", () => {
    // What was taken over before was something else.
    keep({ answers: { ...answers, ...Object.fromEntries(own.map((each) => [each.name, read(form, each)])) }, overrides: {} });
    close();
    changed();
  });
}

const buttons = (close) => make("div", { class: "row" }, make("button", { type: "button", class: "plain", onclick: close }, _("Cancel")), make("button", { type: "submit" }, _("Save")));

function control({ name, label, kind, choices, max_length }, value) {
  if (kind === "yes") return make("label", { class: "option" }, make("input", { type: "checkbox", name, checked: value === true }), make("span", {}, label));
  if (kind !== "choices") return field(name, label, { maxlength: max_length ?? 255, dir: "auto", value: value ?? "" });
  return make("details", { class: "field", open: Boolean(value?.length) }, make("summary", {}, label), choices.map((each) =>
    make("label", { class: "chip" }, make("input", { type: "checkbox", name, value: each.value, checked: Boolean(value?.includes(each.value)) }), each.label)));
}

function read(form, { name, kind }) {
  const found = [...form.querySelectorAll(`[name="${name}"]`)];
  if (kind === "choices") return found.filter((box) => box.checked).map((box) => box.value);
  return kind === "yes" ? found[0].checked : found[0].value.trim() || undefined;
}

// Returns what a refusal says about lines that the answers rule out, in the words of the page as far as it has some, or
// about the answers; null if it is about something else.
export function findProblem({ conflicts, errors }) {
  const described = conflicts.map((each) => [each.item, ...describeFacts(each)]);
  if (described.length && described.every((facts) => facts.length > 1)) return described.map((facts) => facts.join(" · ")).join("\n");
  const isOurs = (place) => inputs.some(({ name }) => name === place) || (conflicts.length > 0 && place.startsWith("items."));
  return Object.entries(errors).find(([place]) => isOurs(place))?.[1][0] ?? null;
}

// Asks why an order is taken all the same. The server decides whether it is.
export function askOverride(sentence, changed) {
  const own = inputs.filter((each) => each.staff);
  const problem = make("p", { class: "problem", role: "alert" });
  const { form, close } = openLineDialog(_("Take the order anyway"), make("p", {}, sentence), own.map((each) => control(each)), problem, buttons(() => close()));
  form.addEventListener("submit", () => {
    const overrides = Object.fromEntries(own.map((each) => [each.name, read(form, each)]));
    if (!Object.values(overrides).some(Boolean)) return problem.replaceChildren(_("Give a reason."));
    keep({ overrides });
    close();
    changed();
  });
}
