// What has not arrived at the server: acts that wait for the network, and those that it did not accept.
import { gettext as _, ngettext } from "/own/texts.js";
import { make } from "/own/dom.js";
import { dropRefusal, isWaitedFor, queue, refusals } from "./acts.js";
import { amend } from "./approval.js";
import { clock, money, session } from "./session.js";

const banner = document.querySelector("[data-lost]");
const text = banner.querySelector("[data-lost-text]");
const dialog = document.querySelector("[data-waiting]");
const NAMES = { place: _("Order"), round: _("Round"), pay: _("Payment"), void: _("Void the line"), cancel: _("Cancel the check") };
const ADVICE = {
  place: _("Take it up again and change what the sentence names, or tell the guests."),
  round: _("Take it up again on the check as it is now, or tell the guests."),
  pay: _("The money was taken and is not recorded. Look at the check: record it there, or give it back."),
  void: _("The line still stands on the check. Look at the check and void it there, or leave it."),
  cancel: _("The check still stands. Look at it and cancel it there, or leave it."),
  approval: _("The line still stands on the check. A manager can approve the void here with a PIN."),
  change: _("Look at the check, and count the drawer with this in mind."),
};
let acts = {};
let wasLost = false;

// `acts` has what a person may do: `takeUp(refusal)` and `openCheck(id)`.
export function start(others) {
  acts = others;
  draw();
}

function draw() {
  const [waiting, refused] = [queue.pending.length, refusals().length];
  // What was done without a network is shown until the last of it has arrived.
  wasLost = session.isLost || (wasLost && waiting > 0);
  banner.hidden = !wasLost && !refused;
  banner.dataset.kind = refused ? "refused" : "lost";
  text.textContent = [
    session.isLost ? _("No connection. Orders, rounds, payments and voids are kept and sent later.") : null,
    waiting ? ngettext("%(num)s waits.", "%(num)s wait.", waiting) : null,
    refused ? ngettext("%(num)s needs attention.", "%(num)s need attention.", refused) : null,
  ].filter(Boolean).join(" ");
  if (dialog.open) fill();
}

function fill() {
  const line = ({ about, addedAt, at, key }, ...more) => make("li", { "data-act": key }, make("b", { dir: "auto" }, `${NAMES[about.kind] ?? ""} · ${about.title}`),
    make("span", { class: "quiet" }, [clock(new Date(addedAt ?? at)), money(about.towards ?? about.total)].join(" · ")), ...more);
  dialog.replaceChildren(make("h2", { id: "waiting-title" }, _("Not sent yet")),
    make("ul", { class: "waiting" }, refusals().map((each) => line(each, make("p", { class: "problem" }, each.message), make("p", {}, ADVICE[each.advice ?? (needsApproval(each) ? "approval" : each.about.kind)]), buttonsOf(each)))),
    make("ul", { class: "waiting", hidden: !queue.pending.length }, queue.pending.map((action) => line(action))),
    make("div", { class: "row" }, make("button", { type: "button", onclick: () => dialog.close() }, _("Close"))));
}

const needsApproval = ({ reason, path }) => reason === "approval_required" && Boolean(path);

// Sends again what a manager has to approve, and asks for the PIN.
async function approve({ key, path, body }) {
  try {
    await amend(`approve:${key}`, path, body);
    dropRefusal(key);
    queue.retry();
  } catch (error) {
    session.keep({ refusals: refusals().map((each) => (each.key === key ? { ...each, message: error.message } : each)) });
  }
  draw();
}

function buttonsOf(refusal) {
  const button = (label, run) => make("button", { type: "button", class: "plain compact", onclick: () => { dialog.close(); run(); draw(); } }, label);
  const { about, key } = refusal;
  return make("div", { class: "notes" },
    needsApproval(refusal) ? button(_("Approve"), () => approve(refusal)) : null,
    about.kept ? button(_("Take up again"), () => { dropRefusal(key); acts.takeUp(refusal); }) : null,
    about.orderId ? button(_("Look at the check"), () => acts.openCheck(about.orderId)) : null,
    button(_("Done"), () => dropRefusal(key)));
}

// Change that was given by provisional sums is not always the server's.
queue.addEventListener("sent", ({ detail: { action: { key, about, addedAt }, document: answer } }) => {
  if (about?.kind !== "pay" || isWaitedFor(key) || about.change === null || (answer.change ?? 0) === about.change) return;
  const message = _("Change of %(given)s was given. By the server's sums it was %(right)s.", { given: money(about.change), right: money(answer.change ?? 0) });
  session.keep({ refusals: [...refusals(), { key, at: addedAt, message, advice: "change", about: { ...about, orderId: answer.order_id } }] });
  draw();
});

banner.querySelector("button").addEventListener("click", () => {
  fill();
  dialog.showModal();
});
for (const type of ["change", "refused", "paused"]) queue.addEventListener(type, draw);
session.addEventListener("connection", draw);
