"""Carts as agents see them: while they can be filled with the prices of now, afterwards with those of their order."""

from collections.abc import Mapping
from typing import Any

from comanda.contracts.order_participants import DraftLine
from comanda.menu.snapshot import MenuSnapshot
from comanda.money import to_number
from comanda.orders import pricing

from comanda_storefront.carts.pricing import Priced
from comanda_storefront.links import store_url, tracking_url
from comanda_storefront.models import Cart
from comanda_storefront.ordering import placed_record

Record = dict[str, Any]
SUMS = ("subtotal", "discount_total", "service_charge", "tax_total", "total")


def open_cart(handle: str, cart: Cart, slug: str, menu: MenuSnapshot, priced: Priced) -> Record:
    """Make the record of a cart that is no order yet."""
    currency, quote = menu.terms.currency, priced.quote
    return {
        **_common(handle, cart),
        "currency": currency,
        "items": [_line(line, priced.lines.get(place), menu) for place, line in enumerate(cart.items)],
        **{name: to_number(getattr(quote, f"{name}_minor"), currency) if quote else 0 for name in SUMS},
        "tax_included": menu.terms.is_tax_included,
        "is_orderable": not any(message.type == "error" for message in priced.messages),
        "continue_url": store_url(slug, cart.table_number),
        "order": None,
        "messages": priced.messages,
    }


def converted_cart(handle: str, cart: Cart, order: Record) -> Record:
    """Make the record of a cart that has become an order."""
    shown = ("item_id", "name", "quantity", "variation", "extras", "note", "unit_price", "discount", "line_total")
    return {
        **_common(handle, cart),
        "currency": order["currency"],
        "items": [{name: line[name] for name in shown} for line in order["items"]],
        **{name: order[name] for name in SUMS},
        "tax_included": order["tax_included"],
        "is_orderable": False,
        "continue_url": tracking_url(order["track_token"]),
        "order": placed_record(order),
        "messages": [],
    }


def _common(handle: str, cart: Cart) -> Record:
    same = ("type", "table_number", "scheduled_for", "note", "coupon_code", "expires_at")
    return {"cart_id": handle, **{name: getattr(cart, name) for name in same}}


def _line(asked: Mapping[str, Any], priced: tuple[DraftLine, pricing.PricedLine] | None, menu: MenuSnapshot) -> Record:
    known = {"item_id": asked["item_id"], "quantity": asked["quantity"], "note": asked.get("note")}
    if priced is None:
        item = menu.items.get(asked["item_id"])
        # What an owner took off the menu is nobody's to read any more, not even by name.
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
