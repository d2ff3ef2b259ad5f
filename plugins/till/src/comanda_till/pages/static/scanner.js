// Scanned codes: from a scanner that types like a keyboard, or from the camera where the browser reads codes.
import { gettext as _ } from "/own/texts.js";
import { findByCode, findByScaleCode } from "./menu.js";
import { Refused } from "./session.js";

const FORMATS = ["ean_13", "ean_8", "upc_a", "upc_e", "code_128", "qr_code"];
const camera = document.querySelector("[data-camera]");
const video = document.querySelector("[data-camera-video]");
const LOOK_MS = 200;

// Whether digits are a GTIN whose check digit is right: every other digit from the right counts three times.
export function isGtin(code) {
  if (!/^(\d{8}|\d{12,14})$/.test(code)) return false;
  const sum = [...code].reverse().slice(1).reduce((total, digit, position) => total + Number(digit) * (position % 2 ? 1 : 3), 0);
  return (10 - (sum % 10)) % 10 === Number(code.at(-1));
}

// Whether a store may have given a code itself: its scale, to what was weighed.
const isOwn = (code) => /^2\d{12}$/.test(code) && isGtin(code);

// `found(item, variation, weight)` is called for each code of the menu, with grams for one of a scale; `tell` with what is
// wrong with another.
export function startScanner(found, tell) {
  let typed = "";
  const scan = async (code) => {
    try {
      const hit = findByCode(code) ?? (isOwn(code) ? await findByScaleCode(code) : null);
      if (hit) return found(hit.item, hit.variation, hit.weight);
    } catch (error) {
      if (!(error instanceof Refused && error.status === 404)) return tell(error.errors?.code?.[0] ?? error.message);
    }
    tell(/^\d{8,}$/.test(code) && !isGtin(code) ? _("The code %(code)s was not read properly. Scan it again.", { code }) : _("No item has the code %(code)s.", { code }));
  };
  document.addEventListener("keydown", (event) => {
    const isElsewhere = event.target.closest("input, textarea, select, dialog") || event.ctrlKey || event.metaKey || event.altKey;
    if (isElsewhere) typed = "";
    else if (event.key === "Enter" && typed.length >= 4) {
      event.preventDefault();
      const code = typed;
      typed = "";
      scan(code);
    } else if (event.key.length === 1 && /[\w.-]/.test(event.key)) typed += event.key;
    else if (event.key !== "Shift") typed = "";
  }, true);
  if ("BarcodeDetector" in window) offerCamera(scan, tell);
}

function offerCamera(scan, tell) {
  const button = document.querySelector("[data-scan]");
  button.hidden = false;
  button.addEventListener("click", async () => {
    let stream;
    try {
      const detector = new BarcodeDetector({ formats: FORMATS });
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      video.srcObject = stream;
      camera.showModal();
      await video.play();
      const code = await read(detector);
      camera.close();
      if (code) scan(code);
    } catch {
      camera.close();
      tell(_("The camera cannot be used."));
    } finally {
      for (const track of stream?.getTracks() ?? []) track.stop();
    }
  });
}

// Looks at the picture until it shows a code, or the dialog is closed.
async function read(detector) {
  while (camera.open) {
    const [code] = await detector.detect(video).catch(() => []);
    if (code) return code.rawValue;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return null;
}
