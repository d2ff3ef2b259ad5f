// What the till saw last of the store, for when the network is away: menu, prices, tables, open checks.
const PLACE = "comanda.till.look.";

export function remember(name, found) {
  try {
    localStorage.setItem(PLACE + name, JSON.stringify(found));
  } catch {
    // A browser that keeps nothing has nothing to show without a network.
  }
}

export function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(PLACE + name));
  } catch {
    return null;
  }
}

// Forgets the checks that are not open any more.
export function keepLooks(ids) {
  for (const key of Object.keys(localStorage)) {
    const [, id] = key.match(/:(?:order|check)-(\d+)$/) ?? [];
    if (id && key.startsWith(PLACE) && !ids.has(Number(id))) localStorage.removeItem(key);
  }
}

export function forgetLooks() {
  for (const key of Object.keys(localStorage)) if (key.startsWith(PLACE)) localStorage.removeItem(key);
}
