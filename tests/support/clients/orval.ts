import { getRestaurantsIdMenu, getTrackToken, postRestaurantsIdOrders } from "./generated/orval";

const [site, token, store, item] = process.argv.slice(2) as [string, string, string, string];
const body = { type: "takeaway", items: [{ item_id: Number(item), quantity: 2 }] };

// The functions fetch paths, as in a page of the same site.
const send = globalThis.fetch;
globalThis.fetch = (path, init) =>
  send(site + path, { ...init, headers: { ...init?.headers, Authorization: `Bearer ${token}` } });
const menu = await getRestaurantsIdMenu(store);
const placed = await postRestaurantsIdOrders(store, body);
if (menu.status !== 200 || placed.status !== 201) throw new Error(JSON.stringify([menu.data, placed.data]));
const tracked = await getTrackToken(placed.data.track_token);
if (tracked.status !== 200) throw new Error(tracked.data.message);
const names: string[] = menu.data.flatMap((category) => category.items.map((each) => each.name));
console.log(JSON.stringify([names, placed.data.total, tracked.data.status]));
