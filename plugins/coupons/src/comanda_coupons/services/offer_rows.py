"""The rows of a store's coupons and promotions, changed by their owner: what every process holds is loaded again."""

from collections.abc import Collection
from typing import Final

from comanda.basics import clock, require_found
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda.stores import bump_menu_version
from tortoise.queryset import QuerySet

from comanda_coupons.models import Coupon

# Serializes changes of a store's coupons. The store's row is not locked: orders lock it after a coupon's.
LOCK_STORE: Final = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"


def filter_rows(caller: Caller, store_id: int) -> QuerySet[Coupon]:
    """Return the coupons and promotions of a store that are not deleted."""
    return Coupon.filter(owner_id=caller.owner_id, store_id=store_id, deleted_at=None)


async def lock_store(store_id: int) -> None:
    """Lock the store's coupons and promotions until the open transaction ends."""
    await sql.execute(LOCK_STORE, f"coupons:{store_id}")


async def lock_row(rows: QuerySet[Coupon], store_id: int, row_id: int) -> Coupon:
    """Lock one of these rows, after the store's. Raises ``NotFound``."""
    await lock_store(store_id)
    return require_found(await rows.filter(id=row_id).select_for_update(no_key=True).first())


async def insert_row(row: Coupon) -> None:
    """Insert a row that has its owner, its store and its terms."""
    row.created_at = row.updated_at = clock.now()
    await row.save(force_create=True)
    await bump_menu_version(row.owner_id, row.store_id)


async def save_row(row: Coupon, changed: Collection[str]) -> None:
    """Write the fields that have changed, if any."""
    if changed:
        row.updated_at = clock.now()
        await row.save(update_fields=[*changed, "updated_at"])
        await bump_menu_version(row.owner_id, row.store_id)


async def delete_row(row: Coupon) -> None:
    """Mark a row as deleted; it stays for the orders that used it."""
    row.deleted_at = clock.now()
    await row.save(update_fields=["deleted_at"])
    await bump_menu_version(row.owner_id, row.store_id)
