"""What owners do with the coupons of a store: list, create, change, delete."""

from typing import Any, Final

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import Conflict, NotFound, ValidationFailed
from comanda.stores.services import bump_menu_version, require_store
from tortoise.queryset import QuerySet

from comanda_coupons import terms
from comanda_coupons.models import Coupon
from comanda_coupons.schemas import CouponBody, CouponChange, CouponQuery

# What every process keeps of each store, and reads anew with each change of its menu.
MAX_COUPONS: Final = 500
# Of these, null says that there is no limit; of the others it says nothing.
CLEARABLE: Final = frozenset(
    {"min_subtotal", "max_discount", "starts_at", "ends_at", "usage_limit", "per_customer_limit"}
)

# One change of a store's coupons at a time. Not the store's row, which orders lock after a coupon's.
LOCK_STORE: Final = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"


async def page_of_coupons(caller: Caller, store_id: int, query: CouponQuery, page: PageRequest) -> dict[str, Any]:
    """List a store's coupons, newest first. Raises ``NotFound`` for another owner's store."""
    store = await require_store(caller, store_id)
    mine = _live(caller, store_id)
    if query.search:
        mine = mine.filter(code__icontains=query.search)
    if query.is_active is not None:
        mine = mine.filter(is_active=query.is_active)
    rows = await mine.order_by("-id").offset(page.offset()).limit(page.size())
    return page.envelope([terms.record(row, store["currency"]) for row in rows], await mine.count())


async def coupon(caller: Caller, store_id: int, coupon_id: int) -> dict[str, Any]:
    """Describe one coupon. Raises ``NotFound``, also for one that is deleted."""
    store = await require_store(caller, store_id)
    found = await _live(caller, store_id).get_or_none(id=coupon_id)
    if found is None:
        raise NotFound
    return terms.record(found, store["currency"])


async def create_coupon(caller: Caller, store_id: int, body: CouponBody) -> dict[str, Any]:
    """Create a coupon.

    Raises ``NotFound``, ``ValidationFailed`` for a code that is taken and terms that will not do, ``Conflict`` beyond
    ``MAX_COUPONS``.
    """
    store = await require_store(caller, store_id)
    columns = await terms.columns(store, caller.owner_id, body, checked=CouponBody.model_fields)
    moment = clock.now()
    async with sql.transaction():
        await _lock(store_id)
        await _check_code(caller, store_id, body.code)
        if await _live(caller, store_id).count() >= MAX_COUPONS:
            raise Conflict(
                f"This store has {MAX_COUPONS} coupons, which is the limit. Delete one first.",
                extras={"limits": {"coupons": MAX_COUPONS}},
            )
        made = await Coupon.create(
            owner_id=caller.owner_id, store_id=store_id, created_at=moment, updated_at=moment, **columns
        )
        await bump_menu_version(caller.owner_id, store_id)
    return terms.record(made, store["currency"])


async def change_coupon(caller: Caller, store_id: int, coupon_id: int, change: CouponChange) -> dict[str, Any]:
    """Change a coupon; orders that have used it keep what they were given.

    Raises ``NotFound``; ``ValidationFailed`` like ``create_coupon``, and for another type without a value.
    """
    store = await require_store(caller, store_id)
    async with sql.transaction():
        found = await _locked(caller, store_id, coupon_id)
        given = _given(change)
        if given.get("type", found.type) != found.type and "value" not in given:
            raise ValidationFailed(value=["With another type, say what the coupon is worth."])
        whole = CouponBody.model_validate({**terms.described(found, store["currency"]), **given})
        columns = await terms.columns(store, caller.owner_id, whole, checked=given)
        changed = {name: value for name, value in columns.items() if value != getattr(found, name)}
        if "code" in changed:
            await _check_code(caller, store_id, whole.code)
        if changed:
            found.update_from_dict({**changed, "updated_at": clock.now()})
            await found.save(update_fields=[*changed, "updated_at"])
            await bump_menu_version(caller.owner_id, store_id)
    return terms.record(found, store["currency"])


async def delete_coupon(caller: Caller, store_id: int, coupon_id: int) -> None:
    """Delete a coupon: no order can use it any more, and its code is free. Raises ``NotFound``."""
    await require_store(caller, store_id)
    async with sql.transaction():
        found = await _locked(caller, store_id, coupon_id)
        found.deleted_at = clock.now()
        await found.save(update_fields=["deleted_at"])
        await bump_menu_version(caller.owner_id, store_id)


def _given(change: CouponChange) -> dict[str, Any]:
    given = change.model_dump(exclude_unset=True)
    return {name: value for name, value in given.items() if value is not None or name in CLEARABLE}


def _live(caller: Caller, store_id: int) -> QuerySet[Coupon]:
    return Coupon.filter(owner_id=caller.owner_id, store_id=store_id, deleted_at=None)


async def _locked(caller: Caller, store_id: int, coupon_id: int) -> Coupon:
    await _lock(store_id)
    found = await _live(caller, store_id).filter(id=coupon_id).select_for_update(no_key=True).first()
    if found is None:
        raise NotFound
    return found


async def _lock(store_id: int) -> None:
    await sql.execute(LOCK_STORE, f"coupons:{store_id}")


async def _check_code(caller: Caller, store_id: int, code: str) -> None:
    if await _live(caller, store_id).filter(code=code).exists():
        raise ValidationFailed(code=[f"There is a coupon {code} already."])
