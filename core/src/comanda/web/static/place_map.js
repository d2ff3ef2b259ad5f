// A map of a few places: to scale, with the distances between them. Places that move glide; the frame stays as
// long as everything fits into it.
const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT] = [360, 225];
const PADDING = 34;
const METERS_PER_DEGREE = 111_195;
const MIN_WIDTH_M = 500;
// What is farther from the rest would shrink it to one dot.
const MAX_DISTANCE_M = 100_000;
// The shortest line with its length on it, in units of the drawing.
const MIN_LABELLED = 70;
const [TILE_SIZE, MAX_ZOOM] = [256, 19];
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

function drawGround(frame, meters) {
  // Its lines are as far apart as the scale is long: a square of nothing but distance.
  const step = meters * frame.perMeter;
  const [x, y] = [(WIDTH / 2) % step, (HEIGHT / 2) % step];
  const lines = [];
  for (let at = x; at < WIDTH; at += step) lines.push(`M${at.toFixed(1)} 0V${HEIGHT}`);
  for (let at = y; at < HEIGHT; at += step) lines.push(`M0 ${at.toFixed(1)}H${WIDTH}`);
  return [make("rect", { class: "land", width: WIDTH, height: HEIGHT }), make("path", { class: "grid", d: lines.join("") })];
}

// Pictures of a tile server, if the installation has one, in the squares that they show.
function drawTiles(frame) {
  const tiles = document.querySelector("meta[name=map-tiles]");
  if (!tiles) return [];
  const cos = scaleAt(frame.origin.lat);
  const zoom = Math.min(Math.max(Math.round(Math.log2((METERS_PER_DEGREE * 360 * cos * frame.perMeter) / TILE_SIZE)), 0), MAX_ZOOM);
  const count = 2 ** zoom;
  const toPoint = (x, y) => locate(frame, { lat: (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / count))) * 180) / Math.PI, lng: (x / count) * 360 - 180 });
  const toTile = (right, down) => {
    const lng = frame.origin.lng + (frame.east + right / frame.perMeter) / METERS_PER_DEGREE / cos;
    const lat = ((frame.origin.lat + (frame.north - down / frame.perMeter) / METERS_PER_DEGREE) * Math.PI) / 180;
    return [((lng + 180) / 360) * count, ((1 - Math.asinh(Math.tan(lat)) / Math.PI) / 2) * count].map(Math.floor);
  };
  const [[left, top], [right, bottom]] = [toTile(-WIDTH / 2, -HEIGHT / 2), toTile(WIDTH / 2, HEIGHT / 2)];
  const images = [];
  for (let x = left; x <= right; x++) {
    for (let y = Math.max(top, 0); y <= Math.min(bottom, count - 1); y++) {
      const [[x1, y1], [x2, y2]] = [toPoint(x, y), toPoint(x + 1, y + 1)];
      const href = tiles.content.replace("{z}", zoom).replace("{x}", ((x % count) + count) % count).replace("{y}", y);
      images.push(make("image", { href, x: x1, y: y1, width: x2 - x1, height: y2 - y1, preserveAspectRatio: "none" }));
    }
  }
  return [...images, make("text", { class: "attribution", x: WIDTH - 6, y: HEIGHT - 6 }, tiles.dataset.attribution)];
}

function drawMark(place, icons) {
  const glyph = place.text
    ? make("text", { class: "number", dy: "0.36em" }, place.text)
    : make("use", { class: "glyph", href: `${icons}#${ICONS[place.kind] ?? "pin"}`, x: -8, y: -8, width: 16, height: 16 });
  const parts = [make("title", {}, place.title ?? ""), make("circle", { class: "badge", r: 14 }), glyph];
  if (place.kind === "driver" || place.kind === "me") parts.splice(1, 0, make("circle", { class: "pulse", r: 14 }));
  return make("g", { class: `place ${place.kind}` }, ...parts);
}

function findScaleLength(frame) {
  const longest = (WIDTH * 0.28) / frame.perMeter;
  const power = 10 ** Math.floor(Math.log10(longest));
  return [5, 2, 1].map((factor) => factor * power).find((length) => length <= longest);
}

function drawScale(frame, meters, format) {
  return make("g", { class: "scale", transform: `translate(12 ${HEIGHT - 12})` }, make("path", { d: `M0 -4V0H${(meters * frame.perMeter).toFixed(1)}V-4` }), make("text", { y: -7 }, format(meters)));
}

// How far it is from stop to stop, as the crow flies, where there is room for it.
function drawDistances(frame, points, format) {
  return points.slice(1).flatMap(([x, y], index) => {
    const [fromX, fromY] = points[index];
    const length = Math.hypot(x - fromX, y - fromY);
    if (length < MIN_LABELLED) return [];
    const meters = length / frame.perMeter;
    return [make("text", { class: "distance", x: (x + fromX) / 2, y: (y + fromY) / 2 - 6 }, format(meters < 950 ? Math.round(meters / 50) * 50 : Math.round(meters / 100) * 100))];
  });
}

function toPath(points) {
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
  map.behind.setAttribute("d", at > 0 ? toPath(points.slice(0, at + 1)) : "");
  map.ahead.setAttribute("d", points.length > 1 ? toPath(points.slice(Math.max(at, 0))) : "");
  map.distances.replaceChildren(...drawDistances(frame, points.slice(Math.max(at, 0)), map.format));
}

function create(element, frame, shown, { icons, format, names }) {
  const meters = format ?? ((length) => (length < 1000 ? `${length} m` : `${length / 1000} km`));
  const marks = new Map(shown.map((place) => [String(place.id), drawMark(place, icons)]));
  const [behind, ahead] = [make("path", { class: "behind" }), make("path", { class: "ahead" })];
  const distances = make("g");
  const scale = findScaleLength(frame);
  const svg = make("svg", { class: "place-map", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" }, ...drawGround(frame, scale), ...drawTiles(frame), behind, ahead, distances, drawScale(frame, scale, meters), ...marks.values());
  element.replaceChildren(svg);
  const map = { frame, names, svg, marks, behind, ahead, distances, format: meters };
  maps.set(element, map);
  return map;
}
