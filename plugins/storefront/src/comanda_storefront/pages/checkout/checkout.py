"""Quotes and orders from a store's page, both priced by the server."""

from typing import Any

from comanda.basics import BadRequest, Conflict, ValidationFailed, money
from comanda.contracts import Call, Caller, IdempotentResult, OrderBody, Unvalidated
from comanda.orders import Order, OrderDraft, PlaceOrder, draft_order, parse_keys, placement, prepare_order
from comanda.platform import PluginFailed, call_plugin, runtime
from comanda.web import find_customer_session
from comanda.web import gettext as _

from comanda_storefront.caller_kinds import to_guest_caller
from comanda_storefront.pages.checkout.quotes import to_quote
from comanda_storefront.pages.formats import format_price
from comanda_storefront.services import published_stores
from comanda_storefront.services.page_channel import PAGE_CHANNEL
from comanda_storefront.services.published_stores import PublishedStore


async def quote_order(call: Call, slug: str, body: Unvalidated[OrderBody]) -> dict[str, Any]:
    """Return the price of what can be ordered without placing it, and what stands against the rest.

    Raises ``NotFound``, ``BadRequest``; ``ValidationFailed`` for a body that is no order.
    """
    store = await published_stores.get_published_store(slug)
    priced = await _draft_order(store, await find_caller(call, store), body, is_quote=True)
    if priced.fault is not None:
        raise priced.fault
    return {**to_quote(store, priced), **await _get_payment(store, priced.request.body.type)}


async def place_order(call: Call, slug: str, body: Unvalidated[OrderBody]) -> IdempotentResult[Order]:
    """Place an order, or return the one that the same ``client_uuid`` placed before.

    It belongs to the customer who is signed in, if there is one.
    Emits ``OrderCreated``, not for a repeat. Raises ``NotFound``, ``BadRequest``, ``ValidationFailed``; ``Conflict``
    with the reason ``price_changed`` if its total differs from the ``expected_total`` that the guest saw.
    """
    store = await published_stores.get_published_store(slug)
    caller = await find_caller(call, store)
    await _check_expected_total(store, caller, body)
    command = PlaceOrder(PAGE_CHANNEL, store.row["id"], body, parse_keys({}, body))
    return await placement.place_order(caller, command)


async def _draft_order(
    store: PublishedStore, caller: Caller, body: Unvalidated[OrderBody], *, is_quote: bool = False
) -> OrderDraft:
    order = body.validated()
    prepared = await prepare_order(order, store.menu, caller)
    return draft_order(order, store.menu, PAGE_CHANNEL, caller, is_quote=is_quote, prepared=prepared)


async def _check_expected_total(store: PublishedStore, caller: Caller, body: Unvalidated[OrderBody]) -> None:
    """Raise ``Conflict`` if the total differs from the one the guest saw. Other errors are left to the placement.

    A repeat of a placed order may also be refused here after the menu has changed: confirming the new total then
    returns the order as it was placed.
    """
    expected = body.peek("expected_total")
    if isinstance(expected, bool) or not isinstance(expected, int | float):
        return
    try:
        priced = await _draft_order(store, caller, body)
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


async def find_caller(call: Call, store: PublishedStore) -> Caller:
    """Return the customer of the store whose session the browser has, or the caller that stands for all guests."""
    owner_id, store_id = store.row["owner_id"], store.row["id"]
    session = await find_customer_session(call, owner_id, store_id)
    if session is not None:
        return session.caller
    return to_guest_caller(owner_id, store_id)


async def _get_payment(store: PublishedStore, mode: str) -> dict[str, bool]:
    """Return whether orders of a mode can be paid online, and whether they have to be before they are made."""
    payments, terms = runtime.registry().online_payments, store.menu.terms
    if payments is None:
        return {"pays_online": False, "pays_first": False}
    try:
        is_offered = await call_plugin(payments, "is_offered", payments.is_offered, terms.owner_id, terms.id, mode)
    except PluginFailed:
        is_offered = False
    return {"pays_online": is_offered, "pays_first": payments.is_required(terms, mode)}
