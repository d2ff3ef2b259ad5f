// Rows of lists that grow, the selection of items, photos that are dropped, and names that complete what is typed.

const last = (list) => list[list.length - 1];

// Fields are named by their place: variations.2.price, extra_groups.0.extras.1.name.
function renumber(row, list, number) {
  const pattern = new RegExp(`^${list.replaceAll(".", "\\.")}\\.\\d+\\.`);
  for (const field of row.querySelectorAll("[name]")) {
    field.name = field.name.replace(pattern, `${list}.${number}.`);
    if (field.id) field.id = `field-${field.name.replaceAll(".", "-")}`;
  }
}

function addRow(list) {
  const table = document.querySelector(`table[data-rows="${list}"]`);
  const row = last(table.tBodies[0].rows);
  const copy = row.cloneNode(true);
  const number = Math.max(...[...row.querySelectorAll("[name]")].map((field) => Number(field.name.slice(list.length + 1).split(".")[0])));
  for (const field of copy.querySelectorAll("input, select")) {
    if (field.type === "hidden" && field.name.endsWith(".id")) field.remove();
    else if (field.type === "checkbox") field.checked = false;
    else if (field.type !== "hidden") field.value = "";
  }
  for (const text of copy.querySelectorAll(".problem")) text.remove();
  renumber(copy, list, number + 1);
  row.after(copy);
  copy.querySelector("input:not([type=hidden])")?.focus();
}

function removeRow(button) {
  const row = button.closest("tr");
  if (row.parentElement.rows.length > 1) row.remove();
  else for (const field of row.querySelectorAll("input:not([type=hidden])")) {
    if (field.type === "checkbox") field.checked = false;
    else field.value = "";
  }
}

document.addEventListener("click", (event) => {
  const add = event.target.closest("[data-add-row]");
  if (add) addRow(add.dataset.addRow);
  const remove = event.target.closest("[data-remove-row]");
  if (remove) removeRow(remove);
  // One button of a form asks first, the others do not.
  const button = event.target.closest("#bulk button");
  if (button) {
    delete button.form.dataset.confirmed;
    if (button.dataset.question) button.form.dataset.question = button.dataset.question;
    else delete button.form.dataset.question;
  }
});

document.addEventListener("change", (event) => {
  const boxes = [...document.querySelectorAll("input[name=selected]")];
  if (event.target.matches("[data-select-all]")) for (const box of boxes) box.checked = event.target.checked;
  const text = document.querySelector("[data-selected]");
  if (text && event.target.matches("[name=selected], [data-select-all]")) {
    const count = boxes.filter((box) => box.checked).length;
    text.dataset.none ??= text.textContent;
    text.textContent = count ? text.dataset.selected.replace("%(count)s", count) : text.dataset.none;
    document.querySelector("#bulk").classList.toggle("has-selection", count > 0);
  }
  if (event.target.matches("[data-menu-drop] input[type=file]") && event.target.files.length) event.target.form.requestSubmit();
});

for (const kind of ["dragover", "drop"]) {
  document.addEventListener(kind, (event) => {
    const form = event.target.closest?.("[data-menu-drop]");
    if (!form || !event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    if (kind === "drop") {
      form.querySelector("input[type=file]").files = event.dataTransfer.files;
      form.requestSubmit();
    }
  });
}

let waiting;
document.addEventListener("input", (event) => {
  const input = event.target.closest("[data-item-names]");
  if (!input || /#\d+(\/\d+)?$/.test(input.value)) return;
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    const address = new URL(input.dataset.itemNames, location.href);
    address.searchParams.set("search", input.value);
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok) input.list.innerHTML = await answer.text();
  }, 250);
});
