// The assistants that act for the customer who is signed in, each with a button that ends it.
import { gettext as _ } from "/own/texts.js";
import { call } from "./account.js";
import { make, own } from "./dom.js";

// Returns a part of the account that is empty until it is known, and stays so where nothing can be connected.
export function connectionsPart(tell) {
  const part = make("section", { hidden: true });
  const list = make("ul", { class: "plain-list" });

  async function end({ id, name }, button) {
    button.disabled = true;
    const { status, document } = await call("DELETE", `/connections/${id}`);
    button.disabled = false;
    if (status !== 200) return tell(document.message ?? _("There is no connection. Try again."));
    show(document);
    return tell(_("%(app)s is disconnected.", { app: name }));
  }

  function show({ connections, address }) {
    list.replaceChildren(...connections.map((each) => {
      const button = make("button", { type: "button", class: "link", "aria-label": _("Disconnect %(app)s", { app: each.name }) }, _("Disconnect"));
      button.onclick = () => end(each, button);
      return make("li", {}, own(each.name), " ", button);
    }));
    part.replaceChildren(make("h3", {}, _("Assistants")), list,
      make("p", { class: "quiet" }, _("To connect an assistant, give it this address:"), " ", make("code", { dir: "ltr" }, address)));
  }

  call("GET", "/connections").then(({ status, document }) => {
    if (status !== 200 || !document.address) return;
    show(document);
    part.hidden = false;
  });
  return part;
}
