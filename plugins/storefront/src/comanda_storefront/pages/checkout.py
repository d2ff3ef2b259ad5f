"""Orders from a store's page, priced by the server before a guest agrees to the total and again when it is placed."""

from dataclasses import replace
from typing import Any

from comanda import money
from comanda.contracts.callers import Caller
from comanda.contracts.calls import Unvalidated
from comanda.contracts.idempotency import IdempotentResult
from comanda.contracts.order_bodies import OrderBody
from comanda.errors import BadRequest, Conflict, ValidationFailed
from comanda.orders import placement
from comanda.orders.draft import OrderDraft, draft_order
from comanda.orders.idempotency import parse_keys
from comanda.orders.pricing import Quote

from comanda_storefront.channels import CHANNEL
from comanda_storefront.kinds import STOREFRONT
from comanda_storefront.ordering import placed_record
from comanda_storefront.pages import shops
from comanda_storefront.pages.shops import Shop
from comanda_storefront.pages.wording import price


async def quote(slug: str, body: Unvalidated[OrderBody]) -> dict[str, Any]:
    """Price an order that is not placed. Raises ``NotFound``, ``BadRequest`` and, by field, ``ValidationFailed``."""
    shop = await shops.find(slug)
    priced = _draft(shop, body)
    return {
        "lines": [price(line.total_minor, priced.currency) for line in priced.quote.lines],
        **totals(priced.quote, priced.currency, is_tax_included=shop.menu.terms.is_tax_included),
    }


async def order(slug: str, body: Unvalidated[OrderBody]) -> IdempotentResult:
    """Place an order, or return the one that the same ``client_uuid`` placed before.

    Emits ``OrderCreated``, not for a repeat. Raises ``NotFound``, ``BadRequest``, ``ValidationFailed``; ``Conflict``
    with the reason ``price_changed`` when it costs something else than the ``expected_total`` that the guest saw.
    """
    shop = await shops.find(slug)
    _must_cost_what_was_seen(shop, body)
    made = await placement.place_order(_guest(shop), CHANNEL, shop.row["id"], body, parse_keys({}, body))
    return replace(made, record=placed_record(made.record))


def totals(quote: Quote, currency: str, *, is_tax_included: bool) -> dict[str, Any]:
    """Make the lines below the items, and the total as a number and as people read it."""
    amounts = [
        ("Subtotal", quote.subtotal_minor if quote.total_minor != quote.subtotal_minor else 0),
        ("Discount", -quote.discount_total_minor),
        ("Service charge", quote.service_charge_minor),
        ("Delivery", quote.delivery_fee_minor),
        ("Tip", quote.tip_minor),
        ("Tax", 0 if is_tax_included else quote.tax_total_minor),
    ]
    return {
        "amounts": [{"label": label, "text": price(minor, currency)} for label, minor in amounts if minor],
        "total": money.to_number(quote.total_minor, currency),
        "total_text": price(quote.total_minor, currency),
    }


def _draft(shop: Shop, body: Unvalidated[OrderBody]) -> OrderDraft:
    return draft_order(body.validated(), shop.menu, CHANNEL, _guest(shop))


def _must_cost_what_was_seen(shop: Shop, body: Unvalidated[OrderBody]) -> None:
    """Raise ``Conflict`` where the total is another one than the guest saw; what else is wrong, placing it will tell.

    A repeat of an order that is placed may be refused here too after the menu changed: agreeing to the new total then
    leads to the order as it was placed.
    """
    expected = body.peek("expected_total")
    if isinstance(expected, bool) or not isinstance(expected, int | float):
        return
    try:
        priced = _draft(shop, body)
    except (BadRequest, ValidationFailed):
        return
    total = money.to_number(priced.quote.total_minor, priced.currency)
    if total != expected:
        raise Conflict(
            f"Prices have changed: the total is {price(priced.quote.total_minor, priced.currency)} now.",
            extras={"reason": "price_changed", "total": total},
        )


def _guest(shop: Shop) -> Caller:
    """Make the caller that the public of one store is."""
    return Caller(STOREFRONT.code, 0, shop.row["owner_id"], shop.row["id"], None, frozenset({"order:write"}), None)
