"""Carts of agents: create, get, update, cancel."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from comanda.basics import NotFound
from comanda_storefront.api import Cart, build_cart_url, create_cart, get_contents, update_cart

from comanda_ucp.schemas import CartBody
from comanda_ucp.services.contents import list_codes, list_stock_errors, price_contents, read_lines, to_contents
from comanda_ucp.services.documents import to_discounts, to_line_items, to_totals
from comanda_ucp.services.envelopes import CART, DISCOUNT, create_error_answer, describe
from comanda_ucp.services.messages import list_code_warnings, translate_messages
from comanda_ucp.services.sessions import Session, SessionKind, find_session, to_buyer
from comanda_ucp.services.stores import UcpStore

Messages = Sequence[Mapping[str, str]]


async def create(store: UcpStore, body: CartBody) -> Mapping[str, object]:
    """Create a cart and return it, or the errors of one with items that the store does not have."""
    read = read_lines(store, body.line_items)
    if read.errors:
        return create_error_answer(read.errors, store.page_url)
    session = Session([SessionKind.CART.value], to_buyer(body.buyer), list_codes(body))
    contents = to_contents(store, read.rows, session)
    handle, cart = await create_cart(store.caller, contents, session.to_column())
    return await show(store, handle, cart, session, read.warnings)


async def get(store: UcpStore, handle: str) -> Mapping[str, object]:
    """Return a cart at current prices. Raises ``NotFound``."""
    cart, session = await find_session(store, handle, SessionKind.CART)
    return await show(store, handle, cart, session)


async def update(store: UcpStore, handle: str, body: CartBody) -> Mapping[str, object]:
    """Replace the contents of a cart, and so of the checkout that it has become.

    Raises ``NotFound``, and ``CartConverted`` once it is an order. Items that the store does not have change nothing.
    """
    cart, session = await find_session(store, handle, SessionKind.CART)
    read = read_lines(store, body.line_items)
    if read.errors:
        return await show(store, handle, cart, session, read.errors)
    session = replace(session, buyer=to_buyer(body.buyer), codes=list_codes(body), total_minor=None)
    cart = await store_session(store, cart, session, read.rows)
    return await show(store, handle, cart, session, read.warnings)


async def cancel(store: UcpStore, handle: str) -> Mapping[str, object]:
    """Return a cart as it was, which is gone afterwards. Raises ``NotFound``, ``CartConverted``."""
    cart, session = await find_session(store, handle, SessionKind.CART)
    shown = await show(store, handle, cart, session)
    await update_cart(cart, session=session.remove_kind(SessionKind.CART).to_column())
    return shown


async def store_session(
    store: UcpStore, cart: Cart, session: Session, rows: Sequence[Mapping[str, Any]] | None = None
) -> Cart:
    """Store a session with its contents, by default those that it had."""
    contents = to_contents(store, cart.items if rows is None else rows, session)
    return await update_cart(
        cart, type=contents.type, items=contents.items, coupon_code=contents.coupon_code, session=session.to_column()
    )


async def show(
    store: UcpStore, handle: str, cart: Cart, session: Session, messages: Messages = ()
) -> Mapping[str, object]:
    """Return a cart at current prices. Raises ``NotFound`` once it has become an order."""
    if cart.order_id is not None:
        raise NotFound("This cart has become an order.")
    contents = get_contents(cart)
    priced = await price_contents(store, contents, session)
    shown = [
        *messages,
        *translate_messages(priced.messages, is_cart=True),
        *list_stock_errors(cart.items, store.menu),
        *list_code_warnings(session.codes),
    ]
    return {
        "ucp": describe(CART, DISCOUNT),
        "id": handle,
        "line_items": to_line_items(cart.items, priced, store.menu),
        **({"buyer": session.buyer} if session.buyer else {}),
        "currency": store.currency,
        "totals": to_totals(priced.quote, priced.charges, is_tax_included=store.menu.terms.is_tax_included),
        **({"discounts": to_discounts(session.codes, priced)} if session.codes or priced.promotions else {}),
        **({"messages": shown} if shown else {}),
        "continue_url": build_cart_url(store.slug, cart.items, cart.type, cart.coupon_code),
        "expires_at": cart.expires_at,
    }
