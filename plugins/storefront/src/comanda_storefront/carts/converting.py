"""The part that a cart takes in the order it becomes: both are written in one transaction, or neither."""

from dataclasses import dataclass
from typing import Final

from comanda.contracts.order_participants import OrderRequest
from comanda.db import sql

from comanda_storefront.errors import CartMoved, PriceChanged

NAME: Final = "storefront_carts"
# The key under which an order's body carries its claim. Nothing that a client sends can be a ``Claim``.
FIELD: Final = "storefront_cart"

LOCK = "SELECT version, order_id FROM storefront_cart WHERE id = $1 AND owner_id = $2 FOR NO KEY UPDATE"
CONVERT = "UPDATE storefront_cart SET order_id = $3 WHERE id = $1 AND owner_id = $2"


@dataclass(frozen=True, slots=True)
class Claim:
    """A cart at a version, and what its order may cost, None for anything."""

    cart_id: int
    version: int
    expected_minor: int | None


def concerns(incoming: OrderRequest) -> bool:
    """Tell whether an order comes from a cart."""
    return _claim(incoming) is not None


async def reserve(incoming: OrderRequest) -> None:
    """Lock the cart. Raises ``CartMoved`` if it is not as it was when the order was made from it."""
    if (claim := _claim(incoming)) is None:
        return
    # Two calls may place the same cart at once: the second waits here and finds the first one's order.
    cart = await sql.fetch_one(LOCK, claim.cart_id, incoming.terms.owner_id)
    if cart is None or cart["order_id"] is not None or cart["version"] != claim.version:
        raise CartMoved


async def placed(incoming: OrderRequest, order_id: int) -> None:
    """Note the order in the cart. Raises ``PriceChanged``, and with it nothing of the order is left."""
    if (claim := _claim(incoming)) is None:
        return
    if claim.expected_minor not in {None, incoming.total_minor}:
        raise PriceChanged(incoming.total_minor)
    await sql.execute(CONVERT, claim.cart_id, incoming.terms.owner_id, order_id)


def _claim(incoming: OrderRequest) -> Claim | None:
    found = (incoming.body.model_extra or {}).get(FIELD)
    return found if isinstance(found, Claim) else None
