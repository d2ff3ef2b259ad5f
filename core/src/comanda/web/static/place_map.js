// A map of a few places without tiles: to scale, with a way between them. Places that move glide; the frame stays as
// long as everything fits into it.
const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [360, 225];
const PADDING = 34;
const METERS_PER_DEGREE = 111_195;
const MIN_WIDTH_M = 500;
// What is farther from the rest would shrink it to one dot.
const MAX_DISTANCE_M = 100_000;
const ICONS = { store: "store", home: "home", driver: "scooter", me: "scooter" };
const maps = new WeakMap();

export function make(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const scaleAt = (lat) => Math.max(Math.cos((lat * Math.PI) / 180), 0.01);

function toMeters(origin, { lat, lng }) {
  const turn = ((lng - origin.lng + 540) % 360) - 180;
  return [turn * METERS_PER_DEGREE * scaleAt(origin.lat), (lat - origin.lat) * METERS_PER_DEGREE];
}

function findFrame(places) {
  const origin = places[0];
  const points = places.map((place) => toMeters(origin, place));
  const [easts, norths] = [points.map(([east]) => east), points.map(([, north]) => north)];
  const [inner, tall] = [WIDTH - 2 * PADDING, HEIGHT - 2 * PADDING];
  const meters = Math.max(Math.max(...easts) - Math.min(...easts), ((Math.max(...norths) - Math.min(...norths)) * inner) / tall, (MIN_WIDTH_M * inner) / WIDTH);
  return { origin, east: (Math.max(...easts) + Math.min(...easts)) / 2, north: (Math.max(...norths) + Math.min(...norths)) / 2, perMeter: inner / meters };
}

function locate(frame, place) {
  const [east, north] = toMeters(frame.origin, place);
  return [WIDTH / 2 + (east - frame.east) * frame.perMeter, HEIGHT / 2 - (north - frame.north) * frame.perMeter];
}

const isInside = ([x, y]) => x >= PADDING / 2 && x <= WIDTH - PADDING / 2 && y >= PADDING / 2 && y <= HEIGHT - PADDING / 2;

function keepFrame(old, places) {
  if (!old || !places.every((place) => isInside(locate(old, place)))) return findFrame(places);
  const fresh = findFrame(places);
  return fresh.perMeter > old.perMeter * 2.5 ? fresh : old;
}

function drawGround(id) {
  const street = (d, width) => make("path", { class: "street", d, "stroke-width": width });
  const pattern = make("pattern", { id, width: 96, height: 72, patternUnits: "userSpaceOnUse", patternTransform: "rotate(-14)" }, street("M0 36H96M48 0V72", 5), street("M0 8H96M12 0V72M80 36V72", 2));
  return [make("defs", {}, pattern), make("rect", { class: "land", width: WIDTH, height: HEIGHT }), make("rect", { width: WIDTH, height: HEIGHT, fill: `url(#${id})` })];
}

function drawMark(place, icons) {
  const glyph = place.text
    ? make("text", { class: "number", dy: "0.36em" }, place.text)
    : make("use", { class: "glyph", href: `${icons}#${ICONS[place.kind] ?? "pin"}`, x: -8, y: -8, width: 16, height: 16 });
  const parts = [make("title", {}, place.title ?? ""), make("circle", { class: "badge", r: 14 }), glyph];
  if (place.kind === "driver" || place.kind === "me") parts.splice(1, 0, make("circle", { class: "pulse", r: 14 }));
  return make("g", { class: `place ${place.kind}` }, ...parts);
}

function drawScale(frame, format) {
  const longest = (WIDTH * 0.28) / frame.perMeter;
  const power = 10 ** Math.floor(Math.log10(longest));
  const meters = [5, 2, 1].map((factor) => factor * power).find((length) => length <= longest);
  return make("g", { class: "scale", transform: `translate(12 ${HEIGHT - 12})` }, make("path", { d: `M0 -4V0H${(meters * frame.perMeter).toFixed(1)}V-4` }), make("text", { y: -7 }, format(meters)));
}

function smooth(points) {
  return points.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
}

// Draws `places` ({id, kind, lat, lng, title, text}) into an element, or moves them if they are there. `way` are the ids
// of those that a line joins; what comes before the driver on it is behind them.
export function drawMap(element, { label, places, way = [] }, { icons = "/own/icons.svg", format } = {}) {
  const shown = places.filter((place) => place.lat !== null && Math.hypot(...toMeters(places[0], place)) <= MAX_DISTANCE_M);
  if (!shown.length) {
    element.replaceChildren();
    maps.delete(element);
    return;
  }
  const known = maps.get(element);
  const frame = keepFrame(known?.frame, shown);
  const names = shown.map((place) => `${place.id} ${place.kind} ${place.text ?? ""}`).join();
  const isSame = known?.frame === frame && known.names === names && element.contains(known.svg);
  const map = isSame ? known : create(element, frame, shown, { icons, format, names });
  map.svg.setAttribute("aria-label", label);
  for (const place of shown) map.marks.get(String(place.id)).setAttribute("transform", `translate(${locate(frame, place).map((at) => at.toFixed(1)).join(" ")})`);
  const stops = way.map((id) => shown.find((place) => String(place.id) === String(id))).filter(Boolean);
  const at = stops.findIndex((place) => place.kind === "driver" || place.kind === "me");
  const points = stops.map((place) => locate(frame, place));
  map.behind.setAttribute("d", at > 0 ? smooth(points.slice(0, at + 1)) : "");
  map.ahead.setAttribute("d", points.length > 1 ? smooth(points.slice(Math.max(at, 0))) : "");
}

function create(element, frame, shown, { icons, format, names }) {
  const meters = format ?? ((length) => (length < 1000 ? `${length} m` : `${length / 1000} km`));
  const marks = new Map(shown.map((place) => [String(place.id), drawMark(place, icons)]));
  const [behind, ahead] = [make("path", { class: "behind" }), make("path", { class: "ahead" })];
  const id = `streets-${Math.random().toString(36).slice(2)}`;
  const svg = make("svg", { class: "place-map", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" }, ...drawGround(id), behind, ahead, drawScale(frame, meters), ...marks.values());
  element.replaceChildren(svg);
  const map = { frame, names, svg, marks, behind, ahead };
  maps.set(element, map);
  return map;
}
