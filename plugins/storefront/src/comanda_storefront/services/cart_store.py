"""Carts in the database, found by a handle of which only the hash is stored."""

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from comanda.basics import NotFound, Sentence, clock
from comanda.contracts import Caller
from comanda.platform.db import sql
from tortoise.expressions import F

from comanda_storefront.errors import CartConverted
from comanda_storefront.models import Cart

CART_LIFETIME: Final = timedelta(hours=6)
# Reading a cart does not write if it would extend its expiry by less than this.
MIN_EXTENSION: Final = timedelta(minutes=5)
HANDLE_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class CartContents:
    """The contents of a cart as requested. ``details`` are fields that plugins add to orders of its type."""

    type: str
    items: list[dict[str, Any]]
    table_number: str | None = None
    scheduled_for: datetime | None = None
    note: str | None = None
    coupon_code: str | None = None
    details: dict[str, Any] = field(default_factory=dict)


def get_contents(cart: Cart) -> CartContents:
    """Return the contents of a cart."""
    return CartContents(
        cart.type, cart.items, cart.table_number, cart.scheduled_for, cart.note, cart.coupon_code, cart.details
    )


@sql.transaction()
async def create_cart(
    caller: Caller, contents: CartContents, session: Mapping[str, Any] | None = None
) -> tuple[str, Cart]:
    """Create a cart, and return it with the handle that gives access to it."""
    handle, moment = secrets.token_urlsafe(HANDLE_BYTES), clock.now()
    cart = await Cart.create(
        owner_id=caller.owner_id,
        store_id=caller.known_store_id,
        handle_hash=_hash_handle(handle),
        created_at=moment,
        expires_at=moment + CART_LIFETIME,
        session=None if session is None else dict(session),
        **asdict(contents),
    )
    return handle, cart


async def get_cart(caller: Caller, handle: str) -> Cart:
    """Return a cart of the caller's store and extend its expiry. Raises ``NotFound``, also for an expired cart."""
    moment = clock.now()
    cart = await Cart.get_or_none(
        owner_id=caller.owner_id,
        store_id=caller.known_store_id,
        handle_hash=_hash_handle(handle),
        expires_at__gt=moment,
    )
    if cart is None:
        raise NotFound(Sentence("This cart does not exist or has expired. Create a new one."))
    if cart.expires_at < moment + CART_LIFETIME - MIN_EXTENSION:
        cart.expires_at = moment + CART_LIFETIME
        await Cart.filter(id=cart.id, owner_id=cart.owner_id).update(expires_at=cart.expires_at)
    return cart


@sql.transaction()
async def update_cart(cart: Cart, **columns: Any) -> Cart:
    """Update a cart and return it. Raises ``CartConverted`` for a cart that has become an order."""
    changed = await Cart.filter(id=cart.id, owner_id=cart.owner_id, order_id=None).update(
        version=F("version") + 1, expires_at=clock.now() + CART_LIFETIME, **columns
    )
    if not changed:
        raise CartConverted
    return await Cart.get(id=cart.id, owner_id=cart.owner_id)


async def set_order(cart: Cart, order_id: int) -> None:
    """Set the order that a repeated key returned, for a cart that has none."""
    await Cart.filter(id=cart.id, owner_id=cart.owner_id, order_id=None).update(order_id=order_id)


def _hash_handle(handle: str) -> bytes:
    return hashlib.sha256(handle.encode(errors="replace")).digest()
