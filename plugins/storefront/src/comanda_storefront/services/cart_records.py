"""The records of carts: at current prices while open, at those of their order once converted."""

from collections.abc import Mapping
from typing import Any

from comanda.contracts.order_participants import DraftLine
from comanda.menu.snapshot import MenuSnapshot
from comanda.money import to_number
from comanda.orders import pricing

from comanda_storefront.models import Cart
from comanda_storefront.services.cart_pricing import PricedCart
from comanda_storefront.services.links import build_store_url, build_tracking_url
from comanda_storefront.services.orders import to_placed_order

Record = dict[str, Any]
TOTAL_FIELDS = ("subtotal", "discount_total", "service_charge", "tax_total", "total")


def to_open_cart_record(handle: str, cart: Cart, slug: str, menu: MenuSnapshot, priced: PricedCart) -> Record:
    """Return the record of a cart that has not become an order."""
    currency, quote = menu.terms.currency, priced.quote
    return {
        **_to_common_fields(handle, cart),
        "currency": currency,
        "items": [_to_line(line, priced.lines.get(place), menu) for place, line in enumerate(cart.items)],
        **{name: to_number(getattr(quote, f"{name}_minor"), currency) if quote else 0 for name in TOTAL_FIELDS},
        "tax_included": menu.terms.is_tax_included,
        "is_orderable": not any(message.type == "error" for message in priced.messages),
        "continue_url": build_store_url(slug, cart.table_number),
        "order": None,
        "messages": priced.messages,
    }


def to_converted_cart_record(handle: str, cart: Cart, order: Record) -> Record:
    """Return the record of a cart that has become an order."""
    shown = ("item_id", "name", "quantity", "variation", "extras", "note", "unit_price", "discount", "line_total")
    return {
        **_to_common_fields(handle, cart),
        "currency": order["currency"],
        "items": [{name: line[name] for name in shown} for line in order["items"]],
        **{name: order[name] for name in TOTAL_FIELDS},
        "tax_included": order["tax_included"],
        "is_orderable": False,
        "continue_url": build_tracking_url(order["track_token"]),
        "order": to_placed_order(order),
        "messages": [],
    }


def _to_common_fields(handle: str, cart: Cart) -> Record:
    same = ("type", "table_number", "scheduled_for", "note", "coupon_code", "expires_at")
    return {"cart_id": handle, **{name: getattr(cart, name) for name in same}}


def _to_line(
    asked: Mapping[str, Any], priced: tuple[DraftLine, pricing.PricedLine] | None, menu: MenuSnapshot
) -> Record:
    known = {"item_id": asked["item_id"], "quantity": asked["quantity"], "note": asked.get("note")}
    if priced is None:
        item = menu.items.get(asked["item_id"])
        # The name of an item that is no longer on the menu is not disclosed.
        name = item["name"] if item and item["is_on_menu"] else None
        empty = dict.fromkeys(("variation", "unit_price", "discount", "line_total"))
        return {**known, **empty, "name": name, "extras": []}
    line, paid = priced
    currency = menu.terms.currency
    return {
        **known,
        "name": line.name,
        "variation": line.variation,
        "extras": line.extras,
        "unit_price": to_number(line.unit_price_minor, currency),
        "discount": to_number(paid.discount_minor, currency),
        "line_total": to_number(paid.total_minor, currency),
    }
