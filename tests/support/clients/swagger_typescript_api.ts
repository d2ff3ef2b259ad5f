import { Api } from "./generated/swagger_typescript_api/client";

const [site, token, store, item] = process.argv.slice(2) as [string, string, string, string];
const body = { type: "takeaway", items: [{ item_id: Number(item), quantity: 2 }] };

const { api } = new Api({ baseUrl: site, baseApiParams: { headers: { Authorization: `Bearer ${token}` } } });
const menu = await api.getRestaurantsIdMenu(store);
const placed = await api.postRestaurantsIdOrders(store, body);
const tracked = await api.getTrackToken(placed.data.track_token);
const names: string[] = menu.data.flatMap((category) => category.items.map((each) => each.name));
console.log(JSON.stringify([names, placed.data.total, tracked.data.status]));
