// Requests that must not be done twice. Each has a key that is kept until an answer came, also over a reload: sending it
// again after a lost answer returns what was done the first time.
import { session, Unanswered } from "./session.js";

function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const busy = new Set();

// Sends a request once. `name` identifies what is done, such as "pay:12"; a second click while it runs returns null.
export async function sendOnce(name, path, body) {
  if (busy.has(name)) return null;
  busy.add(name);
  const content = JSON.stringify([path, body]);
  const kept = session.kept.pending ?? {};
  const key = kept[name]?.content === content ? kept[name].key : newKey();
  keep({ ...kept, [name]: { key, content } });
  try {
    const answer = await session.call("POST", path, { ...body }, { "Idempotency-Key": key });
    drop(name);
    return answer;
  } catch (error) {
    if (!(error instanceof Unanswered)) drop(name);
    throw error;
  } finally {
    busy.delete(name);
  }
}

function keep(pending) {
  session.keep({ pending });
}

function drop(name) {
  const { [name]: done, ...others } = session.kept.pending ?? {};
  keep(others);
}
