// The order of several stops: first what is to be fetched, then what is to be brought, each by a short way.
const METERS_PER_DEGREE = 111_195;

export function measure(one, other) {
  if (!one || !other || one.lat === null || other.lat === null) return null;
  const turn = ((other.lng - one.lng + 540) % 360) - 180;
  return Math.hypot(turn * Math.cos((one.lat * Math.PI) / 180), other.lat - one.lat) * METERS_PER_DEGREE;
}

const between = (one, other) => measure(one, other) ?? 0;

function sum(start, stops) {
  let [length, at] = [0, start];
  for (const stop of stops) {
    length += at ? between(at, stop) : 0;
    at = stop;
  }
  return length;
}

function visitNearest(start, stops) {
  const [left, way] = [[...stops], []];
  let at = start;
  while (left.length) {
    const nearest = at ? left.reduce((best, stop) => (between(at, stop) < between(at, best) ? stop : best)) : left[0];
    left.splice(left.indexOf(nearest), 1);
    way.push(nearest);
    at = nearest;
  }
  return way;
}

// Turns parts of the way around as long as that shortens it (2-opt); a driver has a handful of stops.
function shorten(start, way) {
  let best = way;
  for (let isBetter = true; isBetter; ) {
    isBetter = false;
    for (let from = 0; from < best.length - 1; from++) {
      for (let to = from + 1; to < best.length; to++) {
        const turned = [...best.slice(0, from), ...best.slice(from, to + 1).reverse(), ...best.slice(to + 1)];
        if (sum(start, turned) < sum(start, best) - 1) [best, isBetter] = [turned, true];
      }
    }
  }
  return best;
}

const find = (start, stops) => {
  const known = stops.filter((stop) => stop.lat !== null);
  return [...shorten(start, visitNearest(start, known)), ...stops.filter((stop) => stop.lat === null)];
};

export const isFetching = (delivery) => delivery.delivery_status === "assigned";
export const target = (delivery) => (isFetching(delivery) ? delivery.pickup : delivery.dropoff);

// Returns the ids of deliveries in the order in which to go.
export function suggest(start, deliveries) {
  const toStop = (delivery) => ({ id: delivery.id, lat: target(delivery).lat, lng: target(delivery).lng });
  const fetched = find(start, deliveries.filter(isFetching).map(toStop));
  const last = fetched.findLast((stop) => stop.lat !== null) ?? start;
  const brought = find(last, deliveries.filter((delivery) => !isFetching(delivery)).map(toStop));
  return [...fetched, ...brought].map((stop) => stop.id);
}

// Returns deliveries as the driver put them, and those that came later as suggested.
export function sort(deliveries, start, chosen) {
  const ids = suggest(start, deliveries);
  const known = (chosen ?? []).filter((id) => ids.includes(id));
  const order = chosen ? [...known, ...ids.filter((id) => !known.includes(id))] : ids;
  return order.map((id) => deliveries.find((delivery) => delivery.id === id));
}
