"""Quotes and orders from a store's page, both priced by the server."""

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
from comanda.orders.placement import PlaceOrder
from comanda.orders.records import Order
from comanda.web.translations import gettext as _

from comanda_storefront.caller_kinds import STOREFRONT
from comanda_storefront.pages import store_page
from comanda_storefront.pages.formats import format_price
from comanda_storefront.pages.store_page import PublishedStore
from comanda_storefront.services.channels import STOREFRONT_CHANNEL


async def quote_order(slug: str, body: Unvalidated[OrderBody]) -> dict[str, Any]:
    """Return the price of an order without placing it.

    Raises ``NotFound``, ``BadRequest`` and, by field, ``ValidationFailed``.
    """
    store = await store_page.get_published_store(slug)
    priced = _draft_order(store, body)
    priced.require_valid()
    return {
        "lines": [format_price(line.total_minor, priced.currency) for line in priced.quote.lines],
        **to_totals(priced, is_tax_included=store.menu.terms.is_tax_included),
    }


async def place_order(slug: str, body: Unvalidated[OrderBody]) -> IdempotentResult[Order]:
    """Place an order, or return the one that the same ``client_uuid`` placed before.

    Emits ``OrderCreated``, not for a repeat. Raises ``NotFound``, ``BadRequest``, ``ValidationFailed``; ``Conflict``
    with the reason ``price_changed`` if its total differs from the ``expected_total`` that the guest saw.
    """
    store = await store_page.get_published_store(slug)
    _check_expected_total(store, body)
    command = PlaceOrder(STOREFRONT_CHANNEL, store.row["id"], body, parse_keys({}, body))
    return await placement.place_order(_to_guest_caller(store), command)


def to_totals(priced: OrderDraft, *, is_tax_included: bool) -> dict[str, Any]:
    """Return the amounts below the items, and the total as a number and as formatted text."""
    quote, currency = priced.quote, priced.currency
    amounts = [
        (_("Subtotal"), quote.subtotal_minor if quote.total_minor != quote.subtotal_minor else 0),
        (_("Discount"), -quote.discount_total_minor),
        (_("Service charge"), quote.service_charge_minor),
        (_("Delivery"), quote.delivery_fee_minor),
        *((_(charge.label), charge.amount_minor) for charge in priced.contributions.charges),
        (_("Tip"), quote.tip_minor),
        (_("Tax"), 0 if is_tax_included else quote.tax_total_minor),
    ]
    return {
        "amounts": [{"label": label, "text": format_price(minor, currency)} for label, minor in amounts if minor],
        "total": money.to_number(quote.total_minor, currency),
        "total_text": format_price(quote.total_minor, currency),
    }


def _draft_order(store: PublishedStore, body: Unvalidated[OrderBody]) -> OrderDraft:
    return draft_order(body.validated(), store.menu, STOREFRONT_CHANNEL, _to_guest_caller(store))


def _check_expected_total(store: PublishedStore, body: Unvalidated[OrderBody]) -> None:
    """Raise ``Conflict`` if the total differs from the one the guest saw. Other errors are left to the placement.

    A repeat of a placed order may also be refused here after the menu has changed: confirming the new total then
    returns the order as it was placed.
    """
    expected = body.peek("expected_total")
    if isinstance(expected, bool) or not isinstance(expected, int | float):
        return
    try:
        priced = _draft_order(store, body)
    except (BadRequest, ValidationFailed):
        return
    if priced.problems or priced.fault is not None:
        return
    total = money.to_number(priced.quote.total_minor, priced.currency)
    if total != expected:
        raise Conflict(
            _(
                "Prices have changed: the total is %(total)s now.",
                total=format_price(priced.quote.total_minor, priced.currency),
            ),
            extras={"reason": "price_changed", "total": total},
        )


def _to_guest_caller(store: PublishedStore) -> Caller:
    """Return the caller that stands for the guests of a store's page."""
    return Caller(STOREFRONT.code, 0, store.row["owner_id"], store.row["id"], None, frozenset({"order:write"}), None)
