// Connecting a display on another device: its address and code, and which are connected.
import { gettext as _ } from "/own/texts.js";
import { make } from "/own/dom.js";
import { send } from "./display_feed.js";
import { ago, session } from "./session.js";

const DISPLAYS = "/api/v1/staff/displays";
const dialog = document.querySelector("[data-display-dialog]");

export async function openDisplays() {
  await fill();
  dialog.showModal();
}

async function fill(issued = null, problem = "") {
  const { data } = await session.call("GET", `${DISPLAYS}?per_page=100`);
  const attempt = (run) => () => run().catch((error) => fill(null, error.message).catch(() => {}));
  dialog.replaceChildren(make("form", { method: "dialog" }, make("h2", { id: "display-title" }, _("Customer display")),
    make("p", {}, make("a", { class: "button plain", href: "/till/display/", target: "comanda-display" }, _("Open on a second screen of this device"))),
    issued ? linkOf(issued) : make("button", { type: "button", onclick: attempt(connect) }, _("Connect another device")),
    data.length ? make("ul", { class: "waiting" }, data.map((each) => make("li", { "data-display": each.id },
      make("b", {}, each.id === session.kept.display ? _("Display of this till") : _("Display of another till")), make("span", { class: "quiet" }, ago(each.created_at)),
      make("button", { type: "button", class: "plain compact", onclick: attempt(() => disconnect(each.id)) }, _("Disconnect"))))) : null,
    make("p", { class: "problem", role: "alert" }, problem),
    make("button", { class: "link" }, _("Close"))));
}

const linkOf = ({ url, qr_code }) => make("div", { class: "display-link" },
  make("p", {}, _("Scan this code with the device that faces your guests, or open the address there. It needs no login.")),
  make("img", { src: qr_code, alt: "", width: 220, height: 220 }),
  make("p", {}, make("a", { href: url, target: "_blank", rel: "noreferrer", dir: "ltr" }, url)));

// A till has one display at a time: its earlier one is disconnected.
async function connect() {
  const earlier = session.kept.display;
  const issued = await session.call("POST", DISPLAYS);
  session.keep({ display: issued.id });
  send();
  if (earlier) await session.call("DELETE", `${DISPLAYS}/${earlier}`).catch(() => {});
  await fill(issued);
}

async function disconnect(id) {
  await session.call("DELETE", `${DISPLAYS}/${id}`);
  if (session.kept.display === id) session.keep({ display: null });
  await fill();
}
