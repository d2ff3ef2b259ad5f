"""Order participants: one converts a cart in the same transaction that places its order, one checks times."""

from dataclasses import dataclass
from typing import Final

from comanda.contracts import Contribution, NewOrder, OrderRequest, Problem
from comanda.platform.db import sql

from comanda_storefront.errors import CartModified, PriceChanged
from comanda_storefront.pages.checkout import order_times
from comanda_storefront.services.channels import STOREFRONT_CHANNEL
from comanda_storefront.store_settings import OrderingSettings

PARTICIPANT_NAME: Final = "storefront_carts"
# The extra field of the order body that holds the claim. A client cannot send a ``CartClaim``.
CLAIM_FIELD: Final = "storefront_cart"

CLAIM_CART = """
    UPDATE storefront_cart SET order_id = $3 WHERE id = $1 AND owner_id = $2 AND version = $4 AND order_id IS NULL
"""


@dataclass(frozen=True, slots=True)
class CartClaim:
    """A cart at a version, and the expected total of its order, None for any total."""

    cart_id: int
    version: int
    expected_minor: int | None


def is_from_cart(request: OrderRequest, _loaded: None) -> bool:
    """Return whether an order comes from a cart."""
    return _get_claim(request) is not None


async def claim_cart(request: OrderRequest, _loaded: None, order: NewOrder) -> None:
    """Record the order in the cart. Raises ``CartModified`` if the cart has changed since its contents were read, and
    ``PriceChanged``; both roll the order back.
    """
    if (claim := _get_claim(request)) is None:
        return
    # Concurrent calls may place the same cart: the second waits for the store's tally, and then finds the first one's
    # order here.
    if not await sql.execute(CLAIM_CART, claim.cart_id, request.terms.owner_id, order.id, claim.version):
        raise CartModified
    if claim.expected_minor not in {None, order.total_minor}:
        raise PriceChanged(order.total_minor)


def _get_claim(request: OrderRequest) -> CartClaim | None:
    found = (request.body.model_extra or {}).get(CLAIM_FIELD)
    return found if isinstance(found, CartClaim) else None


def is_for_later(request: OrderRequest, _settings: OrderingSettings) -> bool:
    """Return whether a guest asks for a time that no plugin agrees."""
    return (
        request.scheduled_for is not None
        and request.amends is None
        and request.audience == STOREFRONT_CHANNEL.audience
        and order_times.can_order_ahead(request.body.type)
    )


def check_time(request: OrderRequest, settings: OrderingSettings) -> Contribution | None:
    """Check that the time of an order for later is still to come, and not too far ahead."""
    wanted = request.scheduled_for
    if wanted is None:
        return None
    error = order_times.get_time_error(request.terms.zone, settings.order_ahead_days, wanted)
    return Contribution(problems=[Problem("scheduled_for", error)]) if error else None
