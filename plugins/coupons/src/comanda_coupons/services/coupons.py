"""Coupons of a store, as owners manage them."""

from typing import Any, Final

from comanda.basics import Conflict, Sentence, ValidationFailed, require_found
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql
from comanda.stores import require_store
from tortoise.queryset import QuerySet

from comanda_coupons import models
from comanda_coupons.records import Coupon
from comanda_coupons.schemas.coupons import CouponBody, CouponChange, CouponQuery
from comanda_coupons.services import offer_rows, terms

# Every process holds the coupons of each store in memory and reloads them when its menu changes.
MAX_COUPONS: Final = 500
# For these fields null means no limit; for the others it means no change.
CLEARABLE: Final = frozenset(
    {"min_subtotal", "max_discount", "starts_at", "ends_at", "usage_limit", "per_customer_limit"}
)


async def list_coupons(caller: Caller, store_id: int, query: CouponQuery, page: PageRequest) -> RecordPage[Coupon]:
    """List a store's coupons, newest first. Raises ``NotFound`` for another owner's store."""
    store = await require_store(caller, store_id)
    coupons = _filter_coupons(caller, store_id)
    if query.search:
        coupons = coupons.filter(code__icontains=query.search)
    if query.is_active is not None:
        coupons = coupons.filter(is_active=query.is_active)
    rows = await coupons.order_by("-id").offset(page.offset()).limit(page.size())
    return page.of([terms.to_coupon(row, store["currency"]) for row in rows], await page.get_total(rows, coupons.count))


async def get_coupon(caller: Caller, store_id: int, coupon_id: int) -> Coupon:
    """Return a coupon. Raises ``NotFound``, also for a deleted one."""
    store = await require_store(caller, store_id)
    coupon = require_found(await _filter_coupons(caller, store_id).get_or_none(id=coupon_id))
    return terms.to_coupon(coupon, store["currency"])


async def create_coupon(caller: Caller, store_id: int, body: CouponBody) -> Coupon:
    """Create a coupon.

    Raises ``NotFound``; ``ValidationFailed`` for a code in use and for invalid terms; ``Conflict`` beyond
    ``MAX_COUPONS``.
    """
    store = await require_store(caller, store_id)
    columns = await terms.to_columns(store, caller.owner_id, body, checked=CouponBody.model_fields)
    async with sql.transaction():
        await offer_rows.lock_store(store_id)
        await _check_code(caller, store_id, body.code)
        if await _filter_coupons(caller, store_id).count() >= MAX_COUPONS:
            raise Conflict(
                Sentence("A store can have at most %(limit)s coupons. Delete one first.", limit=MAX_COUPONS),
                extras={"limits": {"coupons": MAX_COUPONS}},
            )
        coupon = models.Coupon(owner_id=caller.owner_id, store_id=store_id, **columns)
        await offer_rows.insert_row(coupon)
    return terms.to_coupon(coupon, store["currency"])


async def update_coupon(caller: Caller, store_id: int, coupon_id: int, change: CouponChange) -> Coupon:
    """Update a coupon; orders that have used it keep their discount.

    Raises ``NotFound``; ``ValidationFailed`` like ``create_coupon``, and for a new type without a value.
    """
    store = await require_store(caller, store_id)
    async with sql.transaction():
        coupon = await offer_rows.lock_row(_filter_coupons(caller, store_id), store_id, coupon_id)
        changes = _get_changes(change)
        if changes.get("type", coupon.type) != coupon.type and "value" not in changes:
            raise ValidationFailed(value=[Sentence("This field is required with a new type.")])
        new_terms = CouponBody.model_validate({**dict(terms.to_body(coupon, store["currency"])), **changes})
        columns = await terms.to_columns(store, caller.owner_id, new_terms, checked=changes)
        changed = {name: value for name, value in columns.items() if value != getattr(coupon, name)}
        if "code" in changed:
            await _check_code(caller, store_id, new_terms.code)
        coupon.update_from_dict(changed)
        await offer_rows.save_row(coupon, changed)
    return terms.to_coupon(coupon, store["currency"])


async def delete_coupon(caller: Caller, store_id: int, coupon_id: int) -> None:
    """Delete a coupon and free its code. Raises ``NotFound``."""
    await require_store(caller, store_id)
    async with sql.transaction():
        coupon = await offer_rows.lock_row(_filter_coupons(caller, store_id), store_id, coupon_id)
        await offer_rows.delete_row(coupon)


def _get_changes(change: CouponChange) -> dict[str, Any]:
    changes = change.model_dump(exclude_unset=True)
    return {name: value for name, value in changes.items() if value is not None or name in CLEARABLE}


def _filter_coupons(caller: Caller, store_id: int) -> QuerySet[models.Coupon]:
    return offer_rows.filter_rows(caller, store_id).filter(code__isnull=False)


async def _check_code(caller: Caller, store_id: int, code: str) -> None:
    if await _filter_coupons(caller, store_id).filter(code=code).exists():
        raise ValidationFailed(code=[Sentence("The code %(code)s is already in use.", code=code)])
