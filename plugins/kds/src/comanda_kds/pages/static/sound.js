// A short ring for a new ticket; silent until somebody turns it on.
import { keep, session } from "./api.js";

let context = null;

function audio() {
  context ??= new AudioContext();
  // A browser lets a page sound only after somebody touched it.
  if (context.state === "suspended") context.resume();
  return context;
}

export const isOn = () => session().sound === true;

export function toggle() {
  keep({ sound: !isOn() });
  if (isOn()) ring();
}

export function ring() {
  if (!isOn()) return;
  const output = audio();
  [880, 1320].forEach((frequency, place) => {
    const starts = output.currentTime + place * 0.16;
    const tone = output.createOscillator();
    const volume = output.createGain();
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.25, starts);
    volume.gain.exponentialRampToValueAtTime(0.001, starts + 0.3);
    tone.connect(volume).connect(output.destination);
    tone.start(starts);
    tone.stop(starts + 0.3);
  });
}

addEventListener("pointerdown", () => isOn() && audio(), { once: true });
