// Who is logged in on this phone.
import { gettext as _ } from "/own/texts.js";
import { Session } from "/own/session.js";

export { Unanswered } from "/own/session.js";

const here = new Session({
  place: "comanda.driver",
  base: "/api/v1/driver",
  forgets: { driver: null },
  over: _("Log in again."),
  unanswered: _("No answer came. Try again."),
});

export const session = () => here.kept;
export const now = () => here.now;
export const keep = (values) => here.keep(values);
export const forget = (reason) => here.forget(reason);
export const onOut = (listener) => here.onOut(listener);
export const call = (method, path, body) => here.call(method, path, body);
