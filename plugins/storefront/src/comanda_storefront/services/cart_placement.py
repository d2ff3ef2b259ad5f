"""The placement of a cart: it becomes one order, however often it is placed."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from comanda.basics import ValidationFailed, money
from comanda.contracts import Caller, IdempotentResult
from comanda.menu import MenuSnapshot, public_view
from comanda.orders import PAY_BY, Order, OrderChannel, PlaceOrder, create_keys, placement, queries, to_problems

from comanda_storefront.errors import CartModified, KeyReused, PriceChanged
from comanda_storefront.models import Cart
from comanda_storefront.participant import CLAIM_FIELD, CartClaim
from comanda_storefront.records import CartMessage, CartPlacement, GuestDetails, Refused
from comanda_storefront.services import cart_store, carts
from comanda_storefront.services.cart_messages import to_messages
from comanda_storefront.services.cart_store import get_contents
from comanda_storefront.services.channels import AGENT_CHANNEL
from comanda_storefront.services.orders import to_guest_order

ALREADY_PLACED: Final = "This order was already placed. It was not placed again."
# How often to read a cart again if another call has changed it meanwhile.
MAX_ATTEMPTS: Final = 5


@dataclass(frozen=True, slots=True)
class PlaceCart:
    """A request to place a cart in a channel. ``expected_total`` is in the currency."""

    guest: GuestDetails = carts.NO_GUEST
    key: str | None = None
    expected_total: float | None = None
    channel: OrderChannel = AGENT_CHANNEL


async def place_cart(caller: Caller, handle: str, request: PlaceCart) -> CartPlacement | Refused[CartPlacement]:
    """Place a cart's order, or return the order that it became. If it cannot be placed, return the cart with messages.

    Raises ``NotFound``; ``KeyReused`` for a key that placed an order with other contents. Emits ``OrderCreated``.
    """
    menu = await public_view.get_public_menu(caller.known_store_id)
    expected = _parse_expected_total(request, menu)
    for _ in range(MAX_ATTEMPTS):
        cart = await cart_store.get_cart(caller, handle)
        if cart.order_id is not None:
            return _to_placement(
                await queries.get_order(caller.owner_id, cart.store_id, cart.order_id), "already_placed"
            )
        try:
            return await _place_order(caller, cart, request, CartClaim(cart.id, cart.version, expected))
        except CartModified:
            continue
        except KeyReused:
            # Another call may have placed this same cart meanwhile, with the same key and another name.
            if (await cart_store.get_cart(caller, handle)).order_id is None:
                raise
        except PriceChanged as changed:
            return await _to_failure(caller, handle, cart, request, [_to_price_message(changed, menu)])
        except ValidationFailed as error:
            order = carts.to_order_body(get_contents(cart), request.guest)
            return await _to_failure(caller, handle, cart, request, to_messages(to_problems(error), order, menu))
    raise CartModified


async def _place_order(caller: Caller, cart: Cart, request: PlaceCart, claim: CartClaim) -> CartPlacement:
    contents = get_contents(cart)
    command = PlaceOrder(
        request.channel,
        cart.store_id,
        carts.to_order_body(contents, request.guest),
        create_keys(request.key, carts.encode_order_body(contents, request.guest)),
        {CLAIM_FIELD: claim},
    )
    result = await placement.place_order(caller, command)
    if result.is_mismatch:
        raise KeyReused
    return await _complete(cart, result)


async def _complete(cart: Cart, result: IdempotentResult[Order]) -> CartPlacement:
    if not result.is_replay:
        return _to_placement(result.record)
    await cart_store.set_order(cart, result.record.id)
    return _to_placement(result.record, "already_placed")


def _to_placement(order: Order, code: str | None = None) -> CartPlacement:
    messages = [CartMessage(type="info", code=code, path=None, text=ALREADY_PLACED)] if code else []
    if order.awaits_payment:
        text = f"The store gets this order once it is paid at continue_url, until {order.attributes[PAY_BY]}."
        messages.append(CartMessage(type="warning", code="awaits_payment", path=None, text=text))
    return CartPlacement(to_guest_order(order), None, tuple(messages))


async def _to_failure(
    caller: Caller, handle: str, cart: Cart, request: PlaceCart, messages: Sequence[CartMessage]
) -> Refused[CartPlacement]:
    menu = await public_view.get_public_menu(caller.known_store_id)
    record = await carts.get_cart_record(caller, handle, cart, menu, request.guest)
    return Refused(CartPlacement(None, record, tuple(messages)), messages[0])


def _to_price_message(changed: PriceChanged, menu: MenuSnapshot) -> CartMessage:
    total = money.to_decimal_string(changed.total_minor, menu.terms.currency)
    text = f"The total is now {total} {menu.terms.currency}. Nothing was ordered. Ask the guest, then send this total."
    return CartMessage(type="error", code="price_changed", path="expected_total", text=text)


def _parse_expected_total(request: PlaceCart, menu: MenuSnapshot) -> int | None:
    if request.expected_total is None:
        return None
    try:
        return money.to_minor(request.expected_total, menu.terms.currency)
    except ValueError as error:
        raise ValidationFailed(expected_total=[str(error)]) from error
