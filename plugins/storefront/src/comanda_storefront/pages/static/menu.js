// The menu that the server embeds in the page: the name and price of each item, in minor units.
import { locale } from "/own/texts.js";

export const shop = JSON.parse(document.getElementById("shop-data").textContent);
export const items = new Map(shop.items.map((item) => [item.id, item]));

const format = new Intl.NumberFormat(locale, { style: "currency", currency: shop.currency });
const unit = 10 ** shop.exponent;

export const money = (minor) => format.format(minor / unit);
export const toMajor = (minor) => Number((minor / unit).toFixed(shop.exponent));
export const toMinor = (major) => Math.round(major * unit);
