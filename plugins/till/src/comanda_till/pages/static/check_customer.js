// The customer of a check, named by phone, where the customers of a store collect points.
import { gettext as _, ngettext } from "/own/texts.js";
import { make } from "/own/dom.js";
import { field, openLineDialog } from "./line_options.js";
import { session, Unanswered } from "./session.js";

const places = document.querySelectorAll("[data-customer]");
// By order: its total when it was asked for, and what the server said, nothing if the store has no such route.
const known = new Map();

const pathOf = (id) => `/api/v1/staff/orders/${id}/loyalty`;
const nameOf = (customer) => customer?.name ?? _("Customer");
const pointsText = (count) => ngettext("%(num)s point", "%(num)s points", count);

// Shows in a place of the page whose points a check earns. Without a network, and once it is paid, nothing is shown.
export async function showCustomer(place, order) {
  const id = order?.id && !order.isProvisional && !order.is_paid ? order.id : null;
  place.dataset.customer = id ?? "";
  draw(id);
  if (id === null || known.get(id)?.total === order.total) return;
  known.set(id, { ...known.get(id), total: order.total });
  await read(id).catch((error) => {
    if (error instanceof Unanswered) known.delete(id);
  });
}

async function read(id) {
  keep(id, await session.call("GET", pathOf(id)));
}

function keep(id, found) {
  known.set(id, { ...known.get(id), found });
  draw(id);
}

function draw(id) {
  const found = known.get(id)?.found;
  for (const place of places) {
    if (place.dataset.customer !== String(id ?? "")) continue;
    place.hidden = !found?.programme;
    if (place.hidden) continue;
    const { customer } = found;
    const points = customer ? ` · ${pointsText(found.points)}` : "";
    place.replaceChildren(make("span", {}, make("bdi", {}, nameOf(customer)), points));
  }
}

// Opens with what the server says now, or without an answer with what it said last.
async function openCustomer(id) {
  const failure = await read(id).then(() => "", (error) => error.message);
  openDialog(id, failure);
}

function openDialog(id, failure = "") {
  const { found } = known.get(id);
  const problem = make("p", { class: "problem", role: "alert" }, failure);
  const phone = field("customer-phone", _("Phone"), { type: "tel", maxlength: 50 });
  const { form, close } = openLineDialog(_("Customer"),
    found.customer ? describe(found) : [make("p", {}, _("This check earns %(points)s.", { points: pointsText(found.points) })), phone],
    problem,
    make("div", { class: "row" }, make("button", { type: "submit", class: found.customer ? "plain" : "" }, found.customer ? _("Remove the customer") : _("Find the customer"))),
    make("button", { type: "button", class: "link", autofocus: Boolean(found.customer), onclick: () => close() }, _("Close")));
  form.addEventListener("submit", async ({ submitter }) => {
    problem.textContent = "";
    submitter.disabled = true;
    try {
      if (!found.customer) keep(id, await session.call("PUT", pathOf(id), { phone: phone.querySelector("input").value.trim() }));
      else {
        await session.call("DELETE", pathOf(id));
        await read(id);
      }
      close();
      openDialog(id);
    } catch (error) {
      problem.textContent = error.message;
      submitter.disabled = false;
    }
  });
}

function describe({ customer, points, balance, rewards }) {
  const offered = rewards.filter((each) => each.is_affordable);
  return [
    make("p", {}, make("b", { dir: "auto" }, nameOf(customer))),
    make("dl", { class: "amounts" }, make("dt", {}, _("Balance")), make("dd", {}, pointsText(balance)), make("dt", {}, _("For this check")), make("dd", {}, pointsText(points))),
    make("p", {}, offered.length ? _("Has the points for:") : _("Has the points for no reward yet.")),
    make("ul", {}, offered.map((each) => make("li", {}, make("bdi", {}, each.name), ` · ${pointsText(each.points)}`))),
    offered.length ? make("p", { class: "quiet" }, _("Customers redeem rewards in orders of their own.")) : "",
  ];
}

for (const place of places) place.addEventListener("click", () => openCustomer(Number(place.dataset.customer)));
