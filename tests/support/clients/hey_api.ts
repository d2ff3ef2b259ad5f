import { client } from "./generated/hey_api/client.gen";
import { getRestaurantsIdMenu, getTrackToken, postRestaurantsIdOrders } from "./generated/hey_api/sdk.gen";

const [site, token, store, item] = process.argv.slice(2) as [string, string, string, string];
const body = { type: "takeaway", items: [{ item_id: Number(item), quantity: 2 }] };

client.setConfig({ baseUrl: site, auth: token });
const menu = await getRestaurantsIdMenu({ path: { id: store }, throwOnError: true });
const placed = await postRestaurantsIdOrders({ path: { id: store }, body, throwOnError: true });
const tracked = await getTrackToken({ path: { token: placed.data.track_token }, throwOnError: true });
const names: string[] = menu.data.flatMap((category) => category.items.map((each) => each.name));
console.log(JSON.stringify([names, placed.data.total, tracked.data.status]));
