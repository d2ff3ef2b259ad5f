"""Carts in the database, found by a handle of which only the hash is kept."""

import hashlib
import secrets
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.db import sql
from comanda.errors import NotFound
from tortoise.expressions import F

from comanda_storefront.channels import store_of
from comanda_storefront.errors import CartConverted
from comanda_storefront.models import Cart

LIFETIME: Final = timedelta(hours=6)
# A look that would put a cart's end off by less than this writes nothing.
GRACE: Final = timedelta(minutes=5)
HANDLE_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Contents:
    """What is in a cart, as it was asked for. ``details`` are fields that orders of its kind have beside core's."""

    type: str
    items: list[dict[str, Any]]
    table_number: str | None = None
    scheduled_for: datetime | None = None
    note: str | None = None
    coupon_code: str | None = None
    details: dict[str, Any] = field(default_factory=dict)


def contents_of(cart: Cart) -> Contents:
    """Return what is in a cart."""
    return Contents(
        cart.type, cart.items, cart.table_number, cart.scheduled_for, cart.note, cart.coupon_code, cart.details
    )


@sql.transaction()
async def add(caller: Caller, contents: Contents) -> tuple[str, Cart]:
    """Keep a new cart, and return the handle that whoever knows may use it with."""
    handle, moment = secrets.token_urlsafe(HANDLE_BYTES), clock.now()
    cart = await Cart.create(
        owner_id=caller.owner_id,
        store_id=store_of(caller),
        handle_hash=_digest(handle),
        created_at=moment,
        expires_at=moment + LIFETIME,
        **asdict(contents),
    )
    return handle, cart


async def find(caller: Caller, handle: str) -> Cart:
    """Return a cart of the caller's store and put its end off. Raises ``NotFound``, also for one that has expired."""
    moment = clock.now()
    cart = await Cart.get_or_none(
        owner_id=caller.owner_id, store_id=store_of(caller), handle_hash=_digest(handle), expires_at__gt=moment
    )
    if cart is None:
        raise NotFound("There is no such cart, or it has expired. Create a new one.")
    if cart.expires_at < moment + LIFETIME - GRACE:
        cart.expires_at = moment + LIFETIME
        await Cart.filter(id=cart.id, owner_id=cart.owner_id).update(expires_at=cart.expires_at)
    return cart


@sql.transaction()
async def change(cart: Cart, **columns: Any) -> Cart:
    """Change what is in a cart and return it. Raises ``CartConverted`` for one that has become an order."""
    changed = await Cart.filter(id=cart.id, owner_id=cart.owner_id, order_id=None).update(
        version=F("version") + 1, expires_at=clock.now() + LIFETIME, **columns
    )
    if not changed:
        raise CartConverted
    await cart.refresh_from_db()
    return cart


async def bind(cart: Cart, order_id: int) -> None:
    """Note the order that a repeated key gave, for a cart that has none."""
    await Cart.filter(id=cart.id, owner_id=cart.owner_id, order_id=None).update(order_id=order_id)


def _digest(handle: str) -> bytes:
    return hashlib.sha256(handle.encode(errors="replace")).digest()
