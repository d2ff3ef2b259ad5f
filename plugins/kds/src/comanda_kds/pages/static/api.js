// Who is logged in on this screen; the store and the screen's name stay for the next.
import { gettext as _ } from "/own/texts.js";
import { Session } from "/own/session.js";

export { Refused, Unanswered } from "/own/session.js";

export const here = new Session({
  place: "comanda.kitchen",
  forgets: { store: null },
  answerMs: 8_000,
  over: _("Your time here is over. Log in again."),
  unanswered: _("No answer came. The board will show whether it counted."),
});

export const session = () => here.kept;
export const headers = () => here.headers;
export const keep = (values) => here.keep(values);
export const forget = (reason) => here.forget(reason);
export const onOut = (listener) => here.onOut(listener);
export const call = (method, path, body) => here.call(method, path, body);
