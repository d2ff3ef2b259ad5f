// Requests that must not be done twice. Each is kept with its key until an answer came, also over a reload. After a lost
// answer the same request is sent first, whatever was entered since: its answer says that it was done, by this or before.
import { gettext as _ } from "/own/texts.js";
import { Refused, session } from "./session.js";

// An earlier request, whose answer was lost, was done instead of the one at hand. `body` is what it asked for.
export class SentBefore extends Error {
  constructor(answer, body) {
    super(_("What was sent before is done. Look at it, and send this again if it is still needed."));
    this.answer = answer;
    this.body = body;
  }
}

// Answers of proxies, which do not know whether it was done.
const UNKNOWN = new Set([502, 504]);
const APPROVALS = new Set(["approval_required", "approval_refused"]);

function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const busy = new Set();

// Sends a request once. `name` identifies what is done, such as "pay:12"; a second click while it runs returns null.
// `secrets` are sent with the body and not kept. Raises `SentBefore` if an earlier request was done instead.
export async function sendOnce(name, path, body, secrets = {}) {
  if (busy.has(name)) return null;
  busy.add(name);
  const earlier = session.kept.pending?.[name];
  const request = earlier ?? { key: newKey(), path, body };
  keep({ ...session.kept.pending, [name]: request });
  let answer;
  try {
    answer = await session.call("POST", request.path, { ...request.body, ...secrets }, { "Idempotency-Key": request.key });
  } catch (error) {
    const isRefused = error instanceof Refused && !UNKNOWN.has(error.status);
    // The first request may have been done, although its repetition needs an approval.
    if (isRefused && !(earlier && APPROVALS.has(error.reason))) forgetRequest(name);
    throw error;
  } finally {
    busy.delete(name);
  }
  forgetRequest(name);
  if (JSON.stringify([request.path, request.body]) !== JSON.stringify([path, body])) throw new SentBefore(answer, request.body);
  return answer;
}

function keep(pending) {
  session.keep({ pending });
}

// Gives up a request whose answer was lost.
export function forgetRequest(name) {
  const { [name]: done, ...others } = session.kept.pending ?? {};
  keep(others);
}
