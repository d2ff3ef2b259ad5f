"""Carts of guests' agents: create, get, update the contents, apply a coupon."""

from collections.abc import Mapping
from dataclasses import asdict, replace

from comanda.basics import ValidationFailed, to_json
from comanda.contracts import Caller, OrderBody
from comanda.menu import MenuSnapshot, public_view
from comanda.orders import queries

from comanda_storefront.models import Cart
from comanda_storefront.records import CartRecord, GuestDetails, Refused
from comanda_storefront.services import cart_records, cart_store
from comanda_storefront.services.cart_messages import MISTAKE_CODES
from comanda_storefront.services.cart_pricing import PricedCart, price_cart
from comanda_storefront.services.cart_store import CartContents, get_contents

NO_GUEST = GuestDetails()


async def create_cart(caller: Caller, contents: CartContents) -> CartRecord:
    """Create a cart. Lines that cannot be ordered now are stored too, and reported in ``messages``.

    Raises ``NotFound`` while the store is not published, ``ValidationFailed`` for items that the store does not have.
    """
    menu = await public_view.get_public_menu(caller.known_store_id)
    priced = _require_no_mistakes(await price_cart(caller, menu, to_order_body(contents)))
    handle, cart = await cart_store.create_cart(caller, contents)
    return cart_records.to_open_cart_record(handle, cart, menu, priced)


async def get_cart(caller: Caller, handle: str) -> CartRecord:
    """Return a cart at current prices. Raises ``NotFound``."""
    menu = await public_view.get_public_menu(caller.known_store_id)
    return await get_cart_record(caller, handle, await cart_store.get_cart(caller, handle), menu)


async def update_contents(caller: Caller, handle: str, contents: CartContents) -> CartRecord:
    """Replace the contents of a cart. Its coupon stays, and so does an omitted table.

    Raises what ``create_cart`` raises, and ``CartConverted`` for a cart that has become an order.
    """
    menu = await public_view.get_public_menu(caller.known_store_id)
    cart = await cart_store.get_cart(caller, handle)
    table = contents.table_number or cart.table_number
    contents = replace(contents, table_number=table, coupon_code=cart.coupon_code)
    priced = _require_no_mistakes(await price_cart(caller, menu, to_order_body(contents)))
    # The coupon is not written, because another call may be changing it at the same time.
    columns = {name: value for name, value in asdict(contents).items() if name != "coupon_code"}
    return cart_records.to_open_cart_record(handle, await cart_store.update_cart(cart, **columns), menu, priced)


async def apply_coupon(caller: Caller, handle: str, code: str | None) -> CartRecord | Refused[CartRecord]:
    """Apply a coupon to a cart, or remove it with None. A refused coupon leaves the cart unchanged.

    Raises ``NotFound``, and ``CartConverted`` for a cart that has become an order.
    """
    menu = await public_view.get_public_menu(caller.known_store_id)
    cart = await cart_store.get_cart(caller, handle)
    priced = await price_cart(caller, menu, to_order_body(replace(get_contents(cart), coupon_code=code)))
    refusals = [message for message in priced.messages if message.path == "coupon_code"]
    if refusals and cart.order_id is None:
        standing = await get_cart_record(caller, handle, cart, menu)
        return Refused(replace(standing, messages=tuple(refusals)), refusals[0])
    cart = await cart_store.update_cart(cart, coupon_code=code)
    return cart_records.to_open_cart_record(handle, cart, menu, priced)


async def get_cart_record(
    caller: Caller, handle: str, cart: Cart, menu: MenuSnapshot, guest: GuestDetails = NO_GUEST
) -> CartRecord:
    """Return the record of a cart at current prices, with the guest's details if given, or of its order."""
    if cart.order_id is not None:
        order = await queries.get_order(caller.owner_id, cart.store_id, cart.order_id)
        return cart_records.to_converted_cart_record(handle, cart, order)
    priced = await price_cart(caller, menu, to_order_body(get_contents(cart), guest))
    return cart_records.to_open_cart_record(handle, cart, menu, priced)


def to_order_body(contents: CartContents, guest: GuestDetails = NO_GUEST) -> OrderBody:
    """Return the order body of a cart."""
    return OrderBody.model_validate(_to_order_fields(contents, guest))


def encode_order_body(contents: CartContents, guest: GuestDetails) -> bytes:
    """Return the bytes by which a repeated placement is recognized: the order body as the cart and the guest give it.

    Keys that were stored earlier are compared with them, so they must not change.
    """
    return to_json(_to_order_fields(contents, guest))


def _to_order_fields(contents: CartContents, guest: GuestDetails) -> Mapping[str, object]:
    own = {name: value for name, value in asdict(contents).items() if name != "details"}
    given = {name: value for name, value in asdict(guest).items() if value is not None}
    # Details are for fields of plugins and cannot override core's fields.
    details = {name: value for name, value in contents.details.items() if name not in OrderBody.model_fields}
    return {**details, **own, **given}


def _require_no_mistakes(priced: PricedCart) -> PricedCart:
    mistakes: dict[str, list[str]] = {}
    for message in priced.messages:
        if message.code in MISTAKE_CODES:
            mistakes.setdefault(message.path or "items", []).append(message.text)
    if mistakes:
        raise ValidationFailed(mistakes)
    return priced
