"""What a guest's agent does with a cart: fill it, look at it, put other things into it, try a coupon."""

from dataclasses import asdict, replace
from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.mcp import FailedResult
from comanda.contracts.order_bodies import OrderBody
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda.menu import public_view
from comanda.menu.snapshot import MenuSnapshot
from comanda.orders import queries

from comanda_storefront.carts import records, storing
from comanda_storefront.carts.pricing import Priced, price
from comanda_storefront.carts.problems import MISTAKES
from comanda_storefront.carts.storing import Contents, contents_of
from comanda_storefront.channels import store_of
from comanda_storefront.models import Cart

Record = dict[str, Any]
SLUG = "SELECT slug FROM core_store WHERE id = $1 AND owner_id = $2"


async def create(caller: Caller, contents: Contents) -> Record:
    """Keep a new cart; what cannot be ordered just now is kept too, and told in ``messages``.

    Raises ``NotFound`` while the store is not published, ``ValidationFailed`` for what the store never had.
    """
    menu = await public_view.get_public_menu(store_of(caller))
    priced = _without_mistakes(price(caller, menu, order_of(contents)))
    handle, cart = await storing.add(caller, contents)
    return await _record(handle, cart, menu, priced)


async def show(caller: Caller, handle: str) -> Record:
    """Price a cart anew. Raises ``NotFound``."""
    menu = await public_view.get_public_menu(store_of(caller))
    return await look(caller, handle, await storing.find(caller, handle), menu)


async def replace_contents(caller: Caller, handle: str, contents: Contents) -> Record:
    """Put other things into a cart instead of all that is in it; its coupon stays, and so does a table left out.

    Raises what ``create`` does, and ``CartConverted`` for a cart that has become an order.
    """
    menu = await public_view.get_public_menu(store_of(caller))
    cart = await storing.find(caller, handle)
    table = contents.table_number or cart.table_number
    contents = replace(contents, table_number=table, coupon_code=cart.coupon_code)
    priced = _without_mistakes(price(caller, menu, order_of(contents)))
    # The coupon is not among what is replaced: another call may be changing it meanwhile.
    columns = {name: value for name, value in asdict(contents).items() if name != "coupon_code"}
    return await _record(handle, await storing.change(cart, **columns), menu, priced)


async def apply_coupon(caller: Caller, handle: str, code: str | None) -> Record | FailedResult:
    """Put a coupon on a cart, or take it off with None; one that is refused leaves the cart as it was.

    Raises ``NotFound``, and ``CartConverted`` for a cart that has become an order.
    """
    menu = await public_view.get_public_menu(store_of(caller))
    cart = await storing.find(caller, handle)
    priced = price(caller, menu, order_of(replace(contents_of(cart), coupon_code=code)))
    refusals = [message for message in priced.messages if message.path == "coupon_code"]
    if refusals and cart.order_id is None:
        standing = await look(caller, handle, cart, menu)
        return FailedResult({**standing, "code": refusals[0].code, "message": refusals[0].text, "messages": refusals})
    return await _record(handle, await storing.change(cart, coupon_code=code), menu, priced)


async def look(caller: Caller, handle: str, cart: Cart, menu: MenuSnapshot, **guest: Any) -> Record:
    """Make a cart's record as it is now, priced for a guest of whom more is known, or that of its order."""
    if cart.order_id is not None:
        order = await queries.get_order(caller.owner_id, cart.store_id, cart.order_id)
        return records.converted_cart(handle, cart, order)
    return await _record(handle, cart, menu, price(caller, menu, order_of(contents_of(cart), **guest)))


def order_of(contents: Contents, **guest: Any) -> OrderBody:
    """Make the order that a cart stands for."""
    return OrderBody.model_validate(body_of(contents, **guest))


def body_of(contents: Contents, **guest: Any) -> Record:
    """Make the body of the order that a cart stands for; ``guest`` are fields that are known when it is placed."""
    own = {name: value for name, value in asdict(contents).items() if name != "details"}
    given = {name: value for name, value in guest.items() if value is not None}
    # Details are for fields of plugins: they cannot say what core's own fields do.
    details = {name: value for name, value in contents.details.items() if name not in OrderBody.model_fields}
    return {**details, **own, **given}


async def _record(handle: str, cart: Cart, menu: MenuSnapshot, priced: Priced) -> Record:
    slug = await sql.fetch_value(SLUG, cart.store_id, cart.owner_id)
    return records.open_cart(handle, cart, slug, menu, priced)


def _without_mistakes(priced: Priced) -> Priced:
    mistakes: dict[str, list[str]] = {}
    for message in priced.messages:
        if message.code in MISTAKES:
            mistakes.setdefault(message.path or "items", []).append(message.text)
    if mistakes:
        raise ValidationFailed(mistakes)
    return priced
