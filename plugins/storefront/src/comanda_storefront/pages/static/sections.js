// The parts of the checkout, in the order in which guests see them. Another part is a module with `render` and `value`.
import * as addresses from "./addresses.js";
import * as contact from "./contact.js";
import * as coupon from "./coupon.js";
import * as fulfillment from "./fulfillment.js";
import * as guest from "./guest.js";
import { shop } from "./menu.js";
import * as modeFields from "./mode_fields.js";
import * as savedCart from "./saved_cart.js";
import * as tableChecks from "./table_checks.js";
import * as times from "./times.js";
import * as tip from "./tip.js";

// Loaded only where customers collect points.
const reward = {
  loaded: null,
  render() {
    const place = new Text();
    if (shop.loyalty) {
      import("./reward.js").then((found) => {
        reward.loaded = found;
        place.replaceWith(found.render());
      }).catch(() => {});
    }
    return place;
  },
  value: () => reward.loaded?.value() ?? {},
};

const sections = [fulfillment, tableChecks, guest, addresses, modeFields, times, contact, tip, coupon, reward, savedCart];

// Lets each part finish once the order is placed; what fails there does not concern the order.
export const placed = () => Promise.allSettled(sections.map((section) => section.placed?.()));
export const renderAll = () => sections.map((section) => section.render());
export const values = () => Object.assign({}, ...sections.map((section) => section.value()));
