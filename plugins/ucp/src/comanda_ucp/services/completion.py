"""The completion of checkouts: the order is placed if the guest fetches it and pays at the store."""

from collections.abc import Mapping

from comanda.basics import to_number
from comanda_storefront.api import CartMessage, PlaceCart, Refused, place_cart

from comanda_ucp.schemas import CompletionBody
from comanda_ucp.services.checkouts import check_open, show, store_total
from comanda_ucp.services.contents import to_guest
from comanda_ucp.services.envelopes import create_message
from comanda_ucp.services.fulfillment import UCP_CHANNEL
from comanda_ucp.services.messages import RECOVERABLE, translate_messages
from comanda_ucp.services.sessions import SessionKind, find_session
from comanda_ucp.services.stores import UcpStore

NO_PAYMENTS = "This store takes no payments of agents. Send no instruments: the order is paid at the store."


async def complete(store: UcpStore, handle: str, body: CompletionBody) -> Mapping[str, object]:
    """Place the order of a checkout and return it; or return the checkout with what stands against that.

    An order that would cost something else than the agent was told is not placed: the new total is returned, and the
    next call places it. Raises ``NotFound``, and ``Conflict`` for a checkout that is over. Emits ``OrderCreated``.
    """
    cart, session = await find_session(store, handle, SessionKind.CHECKOUT)
    check_open(cart, session)
    if body.payment.instruments:
        refusal = create_message("payment_failed", NO_PAYMENTS, RECOVERABLE, "$.payment.instruments")
        return await show(store, handle, cart, session, [refusal])
    shown = await show(store, handle, cart, session)
    if shown["status"] != "ready_for_complete":
        return shown
    expected = None if session.total_minor is None else float(to_number(session.total_minor, store.currency))
    placed = await place_cart(store.caller, handle, PlaceCart(to_guest(session), None, expected, UCP_CHANNEL))
    cart, session = await find_session(store, handle, SessionKind.CHECKOUT)
    if isinstance(placed, Refused) and cart.order_id is None:
        cart, session = await store_total(store, cart, session)
        refused = [_to_message(each) for each in placed.record.messages]
        return await show(store, handle, cart, session, refused)
    return await show(store, handle, cart, session)


def _to_message(message: CartMessage) -> Mapping[str, str]:
    if message.code == "price_changed":
        return create_message("price_changed", "The total has changed. Nothing was ordered.", RECOVERABLE, "$.totals")
    return translate_messages([message])[0]
