// Tells where the driver is: every ten seconds while there is something to bring, every minute while on shift.
import { gettext as _ } from "/own/texts.js";
import { call } from "./api.js";

const BRINGING_MS = 10_000;
const WAITING_MS = 60_000;

let watching = null;
let latest = null;
let pause = WAITING_MS;
let sentAt = 0;
let said = () => {};

export const onSaid = (listener) => (said = listener);

function told() {
  const { latitude, longitude, accuracy, heading, speed } = latest.coords;
  const known = Object.entries({ accuracy, heading, speed }).filter(([, value]) => Number.isFinite(value) && value >= 0);
  return { lat: latitude, lng: longitude, recorded_at: new Date(latest.timestamp).toISOString(), ...Object.fromEntries(known) };
}

async function send() {
  if (!latest || Date.now() - sentAt < pause) return;
  sentAt = Date.now();
  await call("PUT", "/location", told()).catch(() => {});
}

export function follow({ isBringing, isOnShift }) {
  pause = isBringing ? BRINGING_MS : WAITING_MS;
  if (!isBringing && !isOnShift) return stop();
  if (!navigator.geolocation) return said(_("This browser does not tell where you are."));
  said(isBringing ? _("Your position is sent to the store, and to customers whose orders you bring.") : _("Your position is sent to the store."));
  watching ??= navigator.geolocation.watchPosition(
    (position) => {
      latest = position;
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
  said("");
}
