"""Checkouts of agents: create, get, update, cancel."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from comanda.basics import Conflict
from comanda.orders import queries
from comanda.platform import runtime
from comanda_storefront.api import Cart, build_cart_url, build_tracking_url, create_cart, get_contents

from comanda_ucp.schemas import CheckoutBody, NewCheckoutBody
from comanda_ucp.services.carts import Messages, store_session
from comanda_ucp.services.contents import list_codes, list_stock_errors, price_contents, read_lines, to_contents
from comanda_ucp.services.documents import to_discounts, to_line_id, to_line_items, to_order_line_items, to_totals
from comanda_ucp.services.envelopes import (
    CHECKOUT,
    DISCOUNT,
    FULFILLMENT,
    create_error_answer,
    create_message,
    describe,
)
from comanda_ucp.services.fulfillment import (
    SHIPPING,
    Fulfillment,
    describe_fulfillment,
    get_fulfillment_minor,
    list_fulfillment_errors,
    resolve_fulfillment,
)
from comanda_ucp.services.messages import BUYER_REVIEW, UNAVAILABLE, get_status, list_code_warnings, translate_messages
from comanda_ucp.services.sessions import FulfillmentChoice, Session, SessionKind, find_session, to_buyer
from comanda_ucp.services.stores import UcpStore

CAPABILITIES = (CHECKOUT, FULFILLMENT, DISCOUNT)


async def create(store: UcpStore, body: NewCheckoutBody) -> Mapping[str, object]:
    """Create a checkout and return it: from lines, or from a cart, which becomes one checkout however often.

    Returns errors alone for items that the store does not have, and if none of them can be ordered now. Raises
    ``NotFound`` for an unknown cart, ``Conflict`` for one whose checkout is over.
    """
    if body.cart_id is not None:
        return await _convert(store, body.cart_id, body)
    read = read_lines(store, body.line_items)
    if not read.rows and not read.errors:
        read.errors.append(create_message("field_required", "Send at least one line.", "unrecoverable", "$.line_items"))
    if read.errors:
        return create_error_answer(read.errors, store.page_url)
    session = _apply(Session([SessionKind.CHECKOUT.value]), body)
    contents = to_contents(store, read.rows, session)
    priced = await price_contents(store, contents, session)
    if not priced.lines:
        gone = [each for each in translate_messages(priced.messages) if each["code"] in UNAVAILABLE]
        if len(gone) == len(read.rows):
            return create_error_answer([{**each, "severity": "unrecoverable"} for each in gone], store.page_url)
    session = replace(session, total_minor=priced.quote.total_minor if priced.quote else None)
    handle, cart = await create_cart(store.caller, contents, session.to_column())
    return await show(store, handle, cart, session, read.warnings)


async def get(store: UcpStore, handle: str) -> Mapping[str, object]:
    """Return a checkout at current prices, or the order that it became. Raises ``NotFound``."""
    cart, session = await find_session(store, handle, SessionKind.CHECKOUT)
    return await show(store, handle, cart, session)


async def update(store: UcpStore, handle: str, body: CheckoutBody) -> Mapping[str, object]:
    """Replace the contents of a checkout. Items that the store does not have change nothing.

    Raises ``NotFound``, and ``Conflict`` for one that is over.
    """
    cart, session = await find_session(store, handle, SessionKind.CHECKOUT)
    check_open(cart, session)
    read = read_lines(store, body.line_items)
    if read.errors:
        return await show(store, handle, cart, session, read.errors)
    cart, session = await store_total(store, cart, _apply(session, body), read.rows)
    return await show(store, handle, cart, session, read.warnings)


async def cancel(store: UcpStore, handle: str) -> Mapping[str, object]:
    """Cancel a checkout and return it. Raises ``NotFound``, and ``Conflict`` for one that is over."""
    cart, session = await find_session(store, handle, SessionKind.CHECKOUT)
    check_open(cart, session)
    session = replace(session, is_canceled=True).remove_kind(SessionKind.CART)
    return await show(store, handle, await store_session(store, cart, session), session)


def check_open(cart: Cart, session: Session) -> None:
    """Raise ``Conflict`` for a checkout that is completed or canceled."""
    if cart.order_id is not None:
        raise Conflict("This checkout is completed and cannot be changed.")
    if session.is_canceled:
        raise Conflict("This checkout is canceled. Create a new one.")


async def store_total(
    store: UcpStore, cart: Cart, session: Session, rows: Sequence[Mapping[str, Any]] | None = None
) -> tuple[Cart, Session]:
    """Store a session with what it costs now, which the agent is about to read."""
    contents = to_contents(store, cart.items if rows is None else rows, session)
    priced = await price_contents(store, contents, session)
    session = replace(session, total_minor=priced.quote.total_minor if priced.quote else None)
    return await store_session(store, cart, session, contents.items), session


async def show(
    store: UcpStore, handle: str, cart: Cart, session: Session, messages: Messages = ()
) -> Mapping[str, object]:
    """Return a checkout at current prices, or the order that it became."""
    if cart.order_id is not None:
        return await _show_order(store, handle, cart, session)
    priced = await price_contents(store, get_contents(cart), session)
    fulfillment = resolve_fulfillment(store.menu.terms, session.fulfillment)
    found = [
        *messages,
        *translate_messages(priced.messages),
        *list_stock_errors(cart.items, store.menu),
        *list_fulfillment_errors(fulfillment),
        *list_code_warnings(session.codes),
    ]
    mode = cart.type if fulfillment.is_chosen or not fulfillment.modes else fulfillment.modes[0].code
    found += _list_reviews(store, fulfillment, mode)
    status = "canceled" if session.is_canceled else get_status(found)
    link = build_cart_url(store.slug, cart.items, mode, cart.coupon_code)
    line_ids = [to_line_id(place) for place in range(len(cart.items))]
    prices = await _price_options(store, cart, session, fulfillment)
    return {
        **_describe_session(store, handle, session, status),
        "line_items": to_line_items(cart.items, priced, store.menu),
        "currency": store.currency,
        "totals": to_totals(priced.quote, priced.charges, is_tax_included=store.menu.terms.is_tax_included),
        "fulfillment": describe_fulfillment(store, session.fulfillment, fulfillment, prices, line_ids),
        "discounts": to_discounts(session.codes, priced),
        **({"messages": found} if found and not session.is_canceled else {}),
        **({} if session.is_canceled else {"continue_url": link}),
        "expires_at": cart.expires_at,
    }


async def _show_order(store: UcpStore, handle: str, cart: Cart, session: Session) -> Mapping[str, object]:
    order = await queries.get_order(cart.owner_id, cart.store_id, cart.order_id or 0)
    url = build_tracking_url(order.store_id, order.track_token)
    line_items = to_order_line_items(order)
    fulfillment = resolve_fulfillment(store.menu.terms, session.fulfillment)
    line_ids = [to_line_id(place) for place in range(len(line_items))]
    return {
        **_describe_session(store, handle, session, "completed"),
        "line_items": line_items,
        "currency": order.currency,
        "totals": to_totals(order, order.charges, is_tax_included=order.is_tax_included),
        "fulfillment": describe_fulfillment(store, session.fulfillment, fulfillment, {}, line_ids),
        "order": {"id": str(order.id), "label": f"#{order.number}", "permalink_url": url},
    }


async def _convert(store: UcpStore, cart_id: str, body: NewCheckoutBody) -> Mapping[str, object]:
    """Return the checkout of a cart, which is the cart itself."""
    cart, session = await find_session(store, cart_id, SessionKind.CART)
    if SessionKind.CHECKOUT not in session.kinds:
        choice = _read_choice(body) or session.fulfillment
        session = replace(session.add_kind(SessionKind.CHECKOUT), fulfillment=choice)
        cart, session = await store_total(store, cart, session)
    return await show(store, cart_id, cart, session)


def _apply(session: Session, body: CheckoutBody) -> Session:
    """Return the session with what was sent in place of what it had."""
    return replace(
        session,
        buyer=to_buyer(body.buyer),
        codes=list_codes(body),
        fulfillment=_read_choice(body) or FulfillmentChoice(),
    )


def _read_choice(body: CheckoutBody) -> FulfillmentChoice | None:
    methods = body.fulfillment.methods if body.fulfillment is not None else []
    return FulfillmentChoice.of(methods[0]) if methods else None


def _list_reviews(store: UcpStore, fulfillment: Fulfillment, mode: str) -> Sequence[Mapping[str, str]]:
    """Return why guests have to place an order themselves, as a message."""
    payments = runtime.registry().online_payments
    if payments is not None and payments.is_required(store.menu.terms, mode):
        text = "Orders are paid online, on the store's page."
    elif fulfillment.type == SHIPPING:
        text = "Orders that are delivered are confirmed on the store's page."
    elif not store.settings.places_orders:
        text = "Orders are placed on the store's page."
    else:
        return []
    return [create_message("buyer_confirmation_required", text, BUYER_REVIEW)]


async def _price_options(store: UcpStore, cart: Cart, session: Session, fulfillment: Fulfillment) -> Mapping[str, int]:
    """Return what each way of delivery costs, by the codes of order types."""
    if fulfillment.type != SHIPPING:
        return {}
    prices: dict[str, int] = {}
    for mode in fulfillment.modes:
        priced = await price_contents(store, get_contents(cart), session, mode.code)
        if priced.quote is not None:
            prices[mode.code] = get_fulfillment_minor(priced.quote, priced.charges)
    return prices


def _describe_session(store: UcpStore, handle: str, session: Session, status: str) -> Mapping[str, object]:
    buyer = {"buyer": session.buyer} if session.buyer else {}
    return {
        # No handler takes payments: what agents order is paid at the store.
        "ucp": {**describe(*CAPABILITIES), "payment_handlers": {}},
        "id": handle,
        "status": status,
        **buyer,
        "payment": {"instruments": []},
        "links": store.list_links(),
    }
