"""The cart of a customer on a store's page, which follows them from one device to another."""

from typing import Final

from comanda.basics import clock
from comanda.contracts import Caller
from comanda.platform.db import sql

from comanda_customers.models import SavedCart
from comanda_customers.records.customers import SavedLines
from comanda_customers.schemas.store_pages import CartChange
from comanda_customers.services import profiles

EMPTY: Final = SavedLines(lines=[], version=0)


async def get_cart(caller: Caller) -> SavedLines:
    """Return the customer's cart; one that was never saved is empty, in version 0."""
    return await get_cart_of(caller.owner_id, caller.known_subject_id)


async def get_cart_of(owner_id: int, customer_id: int) -> SavedLines:
    """Return the cart of a customer of an owner."""
    return _to_lines(await SavedCart.get_or_none(owner_id=owner_id, customer_id=customer_id))


async def update_cart(caller: Caller, body: CartChange) -> tuple[SavedLines, bool]:
    """Replace the lines if the cart still has the version of ``body``; return the cart and whether it was replaced.

    Otherwise another device has changed it, whose lines are returned to be merged. Raises ``NotFound`` for a customer
    who was erased.
    """
    async with sql.transaction():
        customer = await profiles.get_own_customer(caller, locked=True)
        cart = await SavedCart.get_or_none(owner_id=caller.owner_id, customer_id=customer.id)
        if (cart.version if cart else 0) != body.version:
            return _to_lines(cart), False
        if cart is None:
            cart = SavedCart(owner_id=caller.owner_id, customer_id=customer.id, version=0)
        cart.lines = [line.model_dump() for line in body.lines]
        cart.version, cart.updated_at = cart.version + 1, clock.now()
        await cart.save()
    return _to_lines(cart), True


def _to_lines(cart: SavedCart | None) -> SavedLines:
    return EMPTY if cart is None else SavedLines(lines=cart.lines, version=cart.version)
