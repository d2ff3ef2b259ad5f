// Tells where the driver is: every ten seconds while there is something to bring, every minute while on shift. Without
// a connection some of the points are kept, and sent in their order.
import { gettext as _ } from "/own/texts.js";
import { call } from "./api.js";

const BRINGING_MS = 10_000;
const WAITING_MS = 60_000;
// Few enough for the rate limit of the API.
const MAX_POINTS = 20;
const POINT_MS = 30_000;

let watching = null;
let latest = null;
let pause = WAITING_MS;
let sentAt = 0;
let isSending = false;
let points = [];
let said = () => {};
let moved = () => {};

export const onSaid = (listener) => (said = listener);
export const onMoved = (listener) => (moved = listener);
export const where = () => latest && { lat: latest.coords.latitude, lng: latest.coords.longitude };

function toPoint() {
  const { latitude, longitude, accuracy, heading, speed } = latest.coords;
  const known = Object.entries({ accuracy, heading, speed }).filter(([, value]) => Number.isFinite(value) && value >= 0);
  return { lat: latitude, lng: longitude, recorded_at: new Date(latest.timestamp).toISOString(), ...Object.fromEntries(known) };
}

function collect() {
  const point = toPoint();
  const [before, last] = points.slice(-2);
  // The newest always counts; of those before it, one in half a minute.
  if (last && Date.parse(last.recorded_at) - Date.parse(before.recorded_at) < POINT_MS) points.pop();
  points = [...points, point].slice(-MAX_POINTS);
}

export async function send() {
  if (!latest || isSending || Date.now() - sentAt < pause) return;
  sentAt = Date.now();
  isSending = true;
  collect();
  try {
    while (points.length) {
      await call("PUT", "/location", points[0]);
      points.shift();
    }
  } catch {
    // They are sent with the next one.
  } finally {
    isSending = false;
  }
}

export function follow({ isBringing, isOnShift }) {
  pause = isBringing ? BRINGING_MS : WAITING_MS;
  if (!isBringing && !isOnShift) return stop();
  if (!navigator.geolocation) return said(_("This browser does not tell where you are."));
  said(isBringing ? _("Your position is sent to the store, and to customers whose orders you bring.") : _("Your position is sent to the store."));
  watching ??= navigator.geolocation.watchPosition(
    (position) => {
      latest = position;
      moved();
      send();
    },
    (error) => said(error.code === error.PERMISSION_DENIED ? _("Your browser keeps your position to itself.") : _("Your position is not known now.")),
    { enableHighAccuracy: true, maximumAge: 5_000 },
  );
  send();
}

export function stop() {
  if (watching !== null) navigator.geolocation.clearWatch(watching);
  watching = latest = null;
  points = [];
  said("");
}
