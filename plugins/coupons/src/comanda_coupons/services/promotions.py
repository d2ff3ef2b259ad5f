"""Promotions of a store, as owners manage them."""

from typing import Final
from zoneinfo import ZoneInfo

from comanda.basics import Conflict, Sentence, require_found
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql
from comanda.stores import require_store
from tortoise.queryset import QuerySet

from comanda_coupons.models import Coupon
from comanda_coupons.records import Promotion
from comanda_coupons.schemas.promotions import PromotionBody, PromotionChange, PromotionQuery
from comanda_coupons.services import offer_rows, promotion_terms

# Every order of the store is priced with all of them.
MAX_PROMOTIONS: Final = 50
# For these fields null means none; for the others it means no change.
CLEARABLE: Final = frozenset(
    {
        "value",
        "quantity",
        "min_subtotal",
        "max_discount",
        "starts_at",
        "ends_at",
        "usage_limit",
        "per_customer_limit",
        "budget",
    }
)


async def list_promotions(
    caller: Caller, store_id: int, query: PromotionQuery, page: PageRequest
) -> RecordPage[Promotion]:
    """List a store's promotions, newest first. Raises ``NotFound`` for another owner's store."""
    store = await require_store(caller, store_id)
    promotions = _filter_promotions(caller, store_id)
    if query.is_active is not None:
        promotions = promotions.filter(is_active=query.is_active)
    rows = await promotions.order_by("-id").offset(page.offset()).limit(page.size())
    return page.of([_to_record(store, row) for row in rows], await page.get_total(rows, promotions.count))


async def get_promotion(caller: Caller, store_id: int, promotion_id: int) -> Promotion:
    """Return a promotion. Raises ``NotFound``, also for a deleted one."""
    store = await require_store(caller, store_id)
    promotion = require_found(await _filter_promotions(caller, store_id).get_or_none(id=promotion_id))
    return _to_record(store, promotion)


async def create_promotion(caller: Caller, store_id: int, body: PromotionBody) -> Promotion:
    """Create a promotion.

    Raises ``NotFound``; ``ValidationFailed`` for invalid terms; ``Conflict`` beyond ``MAX_PROMOTIONS``.
    """
    store = await require_store(caller, store_id)
    promotion = Coupon(owner_id=caller.owner_id, store_id=store_id)
    await promotion_terms.set_terms(promotion, store, body, checked=PromotionBody.model_fields)
    async with sql.transaction():
        await offer_rows.lock_store(store_id)
        if await _filter_promotions(caller, store_id).count() >= MAX_PROMOTIONS:
            raise Conflict(
                Sentence("A store can have at most %(limit)s promotions. Delete one first.", limit=MAX_PROMOTIONS),
                extras={"limits": {"promotions": MAX_PROMOTIONS}},
            )
        await offer_rows.insert_row(promotion)
    return _to_record(store, promotion)


async def update_promotion(caller: Caller, store_id: int, promotion_id: int, change: PromotionChange) -> Promotion:
    """Update a promotion; orders keep what it took off them. Raises ``NotFound``, and ``ValidationFailed``."""
    store = await require_store(caller, store_id)
    async with sql.transaction():
        promotion = await offer_rows.lock_row(_filter_promotions(caller, store_id), store_id, promotion_id)
        body = _merge(promotion_terms.to_body(promotion, store["currency"]), change)
        changed = await promotion_terms.set_terms(promotion, store, body, checked=change.model_fields_set)
        await offer_rows.save_row(promotion, changed)
    return _to_record(store, promotion)


async def delete_promotion(caller: Caller, store_id: int, promotion_id: int) -> None:
    """Delete a promotion. Raises ``NotFound``."""
    await require_store(caller, store_id)
    async with sql.transaction():
        await offer_rows.delete_row(
            await offer_rows.lock_row(_filter_promotions(caller, store_id), store_id, promotion_id)
        )


def _merge(before: PromotionBody, change: PromotionChange) -> PromotionBody:
    """Return the terms of a promotion with changes; null is no change of what cannot be removed."""
    changes = change.model_dump(exclude_unset=True)
    given = {name: value for name, value in changes.items() if value is not None or name in CLEARABLE}
    return PromotionBody.model_validate({**dict(before), **given})


def _filter_promotions(caller: Caller, store_id: int) -> QuerySet[Coupon]:
    return offer_rows.filter_rows(caller, store_id).filter(code=None)


def _to_record(store: sql.Row, row: Coupon) -> Promotion:
    return promotion_terms.to_promotion(row, store["currency"], ZoneInfo(store["timezone"]))
