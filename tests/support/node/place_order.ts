// Places an order with a client that is typed by the API's description: node place_order.js SITE TOKEN STORE ITEM
import createClient from "openapi-fetch";
import type { paths } from "./comanda.js";

const [site, token, store, item] = process.argv.slice(2);
if (!site || !token || !store || !item) throw new Error("usage: place_order SITE TOKEN STORE ITEM");

// The paths of the description carry the prefix already, so the address is that of the host.
const client = createClient<paths>({ baseUrl: site, headers: { Authorization: `Bearer ${token}` } });

const menu = await client.GET("/api/v1/restaurants/{id}/menu", { params: { path: { id: store } } });
const names: string[] = (menu.data ?? []).flatMap((category) => category.items.map((each) => each.name));

const placed = await client.POST("/api/v1/restaurants/{id}/orders", {
  params: { path: { id: store } },
  body: { type: "takeaway", items: [{ item_id: Number(item), quantity: 2 }] },
});
if (placed.error) throw new Error(placed.error.message);
const { id, total, track_token } = placed.data;

const tracked = await client.GET("/api/v1/track/{token}", { params: { path: { token: track_token } } });
console.log(JSON.stringify({ names, id, total, status: tracked.data?.status }));
