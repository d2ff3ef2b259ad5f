import { Configuration, MenuApi, OrdersApi, PublicApi } from "./generated/typescript_fetch";

const [site, token, store, item] = process.argv.slice(2) as [string, string, string, string];
const orderBody = { type: "takeaway", items: [{ itemId: Number(item), quantity: 2 }] };

// It takes the header of the last alternative, and writes no "Bearer" before that of OAuth.
const accessToken = async (scheme?: string) => (scheme === "OAuth" ? `Bearer ${token}` : token);
const configuration = new Configuration({ basePath: site, accessToken });
const menu = await new MenuApi(configuration).getRestaurantsIdMenu({ id: store });
const placed = await new OrdersApi(configuration).postRestaurantsIdOrders({ id: store, orderBody });
const tracked = await new PublicApi(configuration).getTrackToken({ token: placed.trackToken });
const names: string[] = menu.flatMap((category) => category.items.map((each) => each.name));
console.log(JSON.stringify([names, placed.total, tracked.status]));
