// Push messages of offers, on phones whose browser has them. They are asked for by a press, never when the page opens.
import { call } from "./api.js";

let registration = null;
let publicKey = null;

async function findKey() {
  // Without the plugin that sends them there is no key.
  const answer = await fetch("/api/v1/web-push/key").catch(() => null);
  return answer?.ok ? (await answer.json()).public_key : null;
}

const register = (subscription) => call("POST", "/push/register-device", { platform: "web", token: JSON.stringify(subscription), locale: document.documentElement.lang });

// Returns whether there is something to press: push messages are possible, and not on yet.
export async function isOffered(worker) {
  if (!worker?.pushManager || !("Notification" in window) || Notification.permission === "denied") return false;
  registration = worker;
  const subscription = await worker.pushManager.getSubscription();
  // It may be from a shift of yesterday, whose token has ended.
  if (subscription && Notification.permission === "granted") {
    await register(subscription);
    return false;
  }
  publicKey = await findKey();
  return publicKey !== null;
}

// Returns whether messages will come; the person may refuse.
export async function turnOn() {
  // Nothing is awaited before it, or the press no longer counts.
  if ((await Notification.requestPermission()) !== "granted") return false;
  await register(await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }));
  return true;
}
