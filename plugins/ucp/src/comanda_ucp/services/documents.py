"""Lines, totals and discounts of carts and orders, in minor units."""

from collections.abc import Mapping, Sequence
from typing import Any

from comanda.menu import MenuSnapshot
from comanda.orders import Order, OrderCharge, Quote, fold_combos
from comanda_storefront.api import PricedCart

from comanda_ucp.services.catalog import to_absolute
from comanda_ucp.services.fulfillment import SHIPPING_CHARGE, get_fulfillment_minor
from comanda_ucp.services.item_ids import format_id

NO_TOTALS = ({"type": "subtotal", "amount": 0}, {"type": "total", "amount": 0})


def to_line_id(place: int) -> str:
    """Return the id of a line by its place."""
    return f"line_{place + 1}"


def to_line_items(
    rows: Sequence[Mapping[str, Any]], priced: PricedCart, menu: MenuSnapshot
) -> list[Mapping[str, object]]:
    """Return the lines of a cart. One that cannot be ordered has the price of the menu, and is in no total."""
    return [_to_line_item(place, row, priced, menu) for place, row in enumerate(rows)]


def to_order_line_items(order: Order) -> list[Mapping[str, object]]:
    return [
        _create_line(
            place,
            f"{line.item_id}-{line.variation['id']}" if line.variation else str(line.item_id),
            _join_names(line.name, line.variation["name"] if line.variation else None),
            line.unit_price_minor,
            line.quantity,
        )
        for place, line in enumerate(fold_combos(order.lines))
    ]


def to_totals(
    figures: Quote | Order | None, charges: Sequence[OrderCharge], *, is_tax_included: bool
) -> list[Mapping[str, object]]:
    """Return the totals of a cart or an order, which add up to the last of them; zero for one that has no price."""
    if figures is None:
        return [*NO_TOTALS]
    fees = [("Service charge", figures.service_charge_minor)]
    fees += [(each.label, each.amount_minor) for each in charges if each.code != SHIPPING_CHARGE]
    tax = 0 if is_tax_included else figures.tax_total_minor
    between = [
        {"type": "discount", "amount": -figures.discount_total_minor},
        {"type": "fulfillment", "amount": get_fulfillment_minor(figures, charges)},
        *({"type": "fee", "display_text": label, "amount": amount} for label, amount in fees),
        {"type": "tip", "display_text": "Tip", "amount": figures.tip_minor},
        {"type": "tax", "amount": tax},
    ]
    return [
        {"type": "subtotal", "amount": figures.subtotal_minor},
        *(each for each in between if each["amount"]),
        {"type": "total", "amount": figures.total_minor},
    ]


def to_discounts(codes: Sequence[str], priced: PricedCart) -> Mapping[str, object]:
    """Return the codes that were sent, and what was taken off by a coupon and by promotions."""
    promotions = [{"title": each.name, "amount": each.amount_minor, "automatic": True} for each in priced.promotions]
    applied: list[Mapping[str, object]] = [*promotions]
    if priced.coupon_code is not None and priced.quote is not None:
        rest = priced.quote.discount_total_minor - sum(each.amount_minor for each in priced.promotions)
        code = next((each for each in codes if each.casefold() == priced.coupon_code.casefold()), priced.coupon_code)
        applied.insert(0, {"code": code, "title": code, "amount": max(rest, 0)})
    return {"codes": list(codes), **({"applied": applied} if applied else {})}


def _to_line_item(place: int, row: Mapping[str, Any], priced: PricedCart, menu: MenuSnapshot) -> Mapping[str, object]:
    found, item = priced.lines.get(place), menu.items.get(row["item_id"])
    variant = item.variant_by_id.get(row["variation"]) if item is not None and row["variation"] else None
    if item is None or not item.is_on_menu:
        # The name of an item that is no longer on the menu is not disclosed.
        return {**_create_line(place, str(row["item_id"]), "-", 0, row["quantity"]), "totals": [*NO_TOTALS]}
    title = _join_names(item.name, variant.name if variant else None)
    price = item.price_minor if variant is None else variant.price_minor
    if found is not None:
        price = found[0].unit_price_minor
    image = item.image_url or (item.gallery[0].url if item.gallery else None)
    line = _create_line(place, format_id(item, variant), title, price, row["quantity"], image)
    return line if found is not None else {**line, "totals": [*NO_TOTALS]}


def _create_line(
    place: int, item_id: str, title: str, price_minor: int, quantity: int, image: str | None = None
) -> Mapping[str, object]:
    amount = price_minor * quantity
    picture = {"image_url": to_absolute(image)} if image else {}
    return {
        "id": to_line_id(place),
        "item": {"id": item_id, "title": title, "price": price_minor, **picture},
        "quantity": quantity,
        "totals": [{"type": "subtotal", "amount": amount}, {"type": "total", "amount": amount}],
    }


def _join_names(name: str, variation: str | None) -> str:
    return f"{name} ({variation})" if variation else name
