"""The records of carts: at current prices while open, at those of their order once converted."""

from collections.abc import Iterable, Mapping
from typing import Any

from comanda.basics import Money, to_minor
from comanda.contracts import DraftLine
from comanda.menu import MenuSnapshot
from comanda.orders import Order, OrderCharge, OrderLine, PricedLine, Quote, fold_combos

from comanda_storefront.models import Cart
from comanda_storefront.records import CartCharge, CartChoice, CartExtra, CartLineRecord, CartRecord
from comanda_storefront.services.cart_pricing import PricedCart
from comanda_storefront.services.links import build_continue_url, build_store_url
from comanda_storefront.services.orders import to_guest_order


def to_open_cart_record(handle: str, cart: Cart, menu: MenuSnapshot, priced: PricedCart) -> CartRecord:
    """Return the record of a cart that has not become an order."""
    currency = menu.terms.currency
    return CartRecord(
        cart_id=handle,
        type=cart.type,
        table_number=cart.table_number,
        scheduled_for=cart.scheduled_for,
        note=cart.note,
        coupon_code=cart.coupon_code,
        expires_at=cart.expires_at,
        currency=currency,
        items=tuple(_to_line(line, priced.lines.get(place), menu) for place, line in enumerate(cart.items)),
        **_to_totals(priced.quote, currency),
        charges=_to_charges(priced.charges, currency),
        tax_included=menu.terms.is_tax_included,
        is_orderable=not any(message.type == "error" for message in priced.messages),
        continue_url=build_store_url(menu.terms.slug, cart.table_number),
        order=None,
        messages=priced.messages,
    )


def to_converted_cart_record(handle: str, cart: Cart, order: Order) -> CartRecord:
    """Return the record of a cart that has become an order."""
    return CartRecord(
        cart_id=handle,
        type=cart.type,
        table_number=cart.table_number,
        scheduled_for=cart.scheduled_for,
        note=cart.note,
        coupon_code=cart.coupon_code,
        expires_at=cart.expires_at,
        currency=order.currency,
        items=tuple(_to_placed_line(line, order.currency) for line in fold_combos(order.lines)),
        **_to_totals(order, order.currency),
        charges=_to_charges(order.charges, order.currency),
        tax_included=order.is_tax_included,
        is_orderable=False,
        continue_url=build_continue_url(order),
        order=to_guest_order(order),
        messages=(),
    )


def _to_totals(totals: Quote | Order | None, currency: str) -> dict[str, Money]:
    """Return the totals by the names of their fields; they are zero for a cart that cannot be priced."""
    names = ("subtotal", "discount_total", "service_charge", "delivery_fee", "tax_total", "total")
    return {name: Money(getattr(totals, f"{name}_minor") if totals else 0, currency) for name in names}


def _to_charges(charges: Iterable[OrderCharge], currency: str) -> tuple[CartCharge, ...]:
    return tuple(
        CartCharge(
            charge.code,
            charge.label,
            Money(charge.amount_minor, currency),
            Money(charge.tax_minor, currency),
            charge.is_refundable,
        )
        for charge in charges
    )


def _to_line(
    asked: Mapping[str, Any], priced: tuple[DraftLine, PricedLine] | None, menu: MenuSnapshot
) -> CartLineRecord:
    item_id, quantity, note = asked["item_id"], asked["quantity"], asked.get("note")
    if priced is None:
        item = menu.items.get(item_id)
        # The name of an item that is no longer on the menu is not disclosed.
        name = item.name if item and item.is_on_menu else None
        return CartLineRecord(item_id, name, quantity, None, (), note, None, None, None, None)
    line, paid = priced
    currency, chosen = menu.terms.currency, line.variation
    return CartLineRecord(
        item_id=item_id,
        name=line.name,
        quantity=quantity,
        note=note,
        variation=CartChoice(chosen.id, chosen.name, Money(chosen.price_minor, currency)) if chosen else None,
        extras=tuple(
            CartExtra(extra.id, extra.name, Money(extra.price_minor, currency), extra.quantity) for extra in line.extras
        ),
        unit_price=Money(line.unit_price_minor, currency),
        price_label=line.price_label,
        discount=Money(paid.discount_minor, currency),
        line_total=Money(paid.total_minor, currency),
    )


def _to_placed_line(line: OrderLine, currency: str) -> CartLineRecord:
    chosen = line.variation
    return CartLineRecord(
        item_id=line.item_id,
        name=line.name,
        quantity=line.quantity,
        note=line.note,
        variation=CartChoice(chosen["id"], chosen["name"], _to_price(chosen, currency)) if chosen else None,
        extras=tuple(
            CartExtra(extra["id"], extra["name"], _to_price(extra, currency), extra["quantity"])
            for extra in line.extras
        ),
        unit_price=Money(line.unit_price_minor, currency),
        price_label=line.price_label,
        discount=Money(line.discount_minor, currency),
        line_total=Money(line.total_minor, currency),
    )


def _to_price(choice: Mapping[str, Any], currency: str) -> Money:
    """Return the price of a stored variation or extra."""
    return Money(to_minor(choice["price"], currency), currency)
