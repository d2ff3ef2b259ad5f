// Who is logged in on this phone.
import { gettext as _ } from "/own/texts.js";
import { Refused, Session } from "/own/session.js";

export { Unanswered } from "/own/session.js";

// Answers that do not decide: the server is busy, or does not know who is asking.
const UNDECIDED = new Set([401, 408, 429]);

const here = new Session({
  place: "comanda.driver",
  base: "/api/v1/driver",
  forgets: { driver: null, data: null },
  over: _("Log in again."),
  unanswered: _("No answer came. Try again."),
});

export const session = () => here.kept;
export const now = () => here.now;
export const keep = (values) => here.keep(values);
export const forget = (reason) => here.forget(reason);
export const onOut = (listener) => here.onOut(listener);
export const call = (method, path, body, headers) => here.call(method, path, body, headers);
export const isFinal = (error) => error instanceof Refused && error.status < 500 && !UNDECIDED.has(error.status);
