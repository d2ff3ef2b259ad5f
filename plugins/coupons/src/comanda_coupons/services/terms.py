"""The terms of a coupon: from request bodies to columns, and from columns to records."""

from collections.abc import Collection, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from comanda.basics import Money, ValidationFailed, clock, extend_record, money, rates
from comanda.platform.db import sql
from comanda.stores import find_vertical

from comanda_coupons import models
from comanda_coupons.models import CouponType
from comanda_coupons.records import Coupon, Standing
from comanda_coupons.schemas.coupons import CouponBody
from comanda_coupons.schemas.promotions import PromotionBody
from comanda_coupons.services.promotion_limits import is_over

AMOUNT_FIELDS: Final = ("min_subtotal", "max_discount")
UNCHANGED_FIELDS: Final = (
    "code", "type", "starts_at", "ends_at", "usage_limit", "per_customer_limit", "first_order_only", "modes",
    "item_ids", "category_ids", "is_active",
)  # fmt: skip
FILTER_TABLES: Final = {"item_ids": "core_menu_item_v1", "category_ids": "core_menu_category_v1"}

Errors = dict[str, list[str]]


async def to_columns(store: sql.Row, owner_id: int, body: CouponBody, checked: Collection[str]) -> dict[str, Any]:
    """Return the columns of a complete coupon.

    Modes, items and categories are only checked if their fields are in ``checked``. Raises ``ValidationFailed`` with
    all errors.
    """
    errors: Errors = {}
    currency = store["currency"]
    columns = {name: getattr(body, name) for name in UNCHANGED_FIELDS}
    columns |= {name: sorted(set(columns[name])) for name in ("modes", *FILTER_TABLES)}
    columns |= {
        f"{name}_minor": parse_amount_minor(name, getattr(body, name), currency, errors) for name in AMOUNT_FIELDS
    }
    columns |= _to_value_columns(body, currency, errors)
    await check_scope(store, owner_id, body, checked, errors)
    if errors:
        raise ValidationFailed(errors)
    return columns


async def check_scope(
    store: sql.Row, owner_id: int, body: CouponBody | PromotionBody, checked: Collection[str], errors: Errors
) -> None:
    """Note what is wrong with the modes, the period, the items and the categories of a coupon or promotion."""
    _check_modes(store["store_type"], body.modes if "modes" in checked else [], errors)
    if body.starts_at is not None and body.ends_at is not None and body.ends_at <= body.starts_at:
        errors["ends_at"] = ["Must be after starts_at."]
    for name, table in FILTER_TABLES.items():
        ids = sorted(set(getattr(body, name)))
        if name in checked and ids:
            await _check_ids(name, table, store["id"], owner_id, ids, errors)


def to_body(row: models.Coupon, currency: str) -> CouponBody:
    """Return a coupon as the body that would create it, not validated."""
    coupon = to_coupon(row, currency)
    return CouponBody.model_construct(
        **{name: getattr(row, name) for name in UNCHANGED_FIELDS},
        value=Decimal(str(coupon.value)),
        min_subtotal=None if coupon.min_subtotal is None else coupon.min_subtotal.to_number(),
        max_discount=None if coupon.max_discount is None else coupon.max_discount.to_number(),
    )


def to_coupon(row: models.Coupon, currency: str) -> Coupon:
    """Return the record of a coupon."""
    return extend_record(
        Coupon,
        row,
        code=row.code or "",
        type=CouponType(row.type),
        value=to_value(row, currency),
        min_subtotal=to_money(row.min_subtotal_minor, currency),
        max_discount=to_money(row.max_discount_minor, currency),
        status=get_status(row, clock.now()),
    )


def to_value(row: models.Coupon, currency: str) -> float:
    """Return the percentage or the amount of a coupon, or of a promotion that has one."""
    if row.value_ppm is not None:
        return rates.to_percent(row.value_ppm)
    return float(money.to_number(row.value_minor or 0, currency))


def get_status(row: models.Coupon, moment: datetime) -> Standing:
    """Return whether a coupon or promotion can be used at a moment, except for its windows of time."""
    if not row.is_active:
        return Standing.INACTIVE
    if row.ends_at is not None and row.ends_at <= moment:
        return Standing.EXPIRED
    if row.starts_at is not None and moment < row.starts_at:
        return Standing.SCHEDULED
    if is_over(vars(row)):
        return Standing.USED_UP
    return Standing.ACTIVE


def _to_value_columns(body: CouponBody, currency: str, errors: Errors) -> dict[str, int | None]:
    if body.type is CouponType.FIXED:
        if body.max_discount is not None:
            errors["max_discount"] = ["Only allowed for a percentage."]
        return {"value_ppm": None, "value_minor": parse_amount_minor("value", body.value, currency, errors)}
    return {"value_ppm": parse_percentage(body.value, errors), "value_minor": None}


def parse_percentage(value: Decimal, errors: Errors) -> int | None:
    """Return a percentage in parts per million, and note what is wrong with it."""
    if value > 100:
        errors["value"] = ["A percentage must be 100 or less."]
        return None
    try:
        return rates.to_ppm(value)
    except ValueError:
        errors["value"] = [f"A percentage must have at most {rates.DECIMALS} decimals."]
        return None


def parse_amount_minor(name: str, amount: Decimal | float | None, currency: str, errors: Errors) -> int | None:
    """Return an amount in minor units, and note what is wrong with it."""
    if amount is None:
        return None
    try:
        return money.to_minor(amount, currency)
    except ValueError as error:
        errors[name] = [str(error)]
        return None


def _check_modes(store_type: str, modes: Sequence[str], errors: Errors) -> None:
    vertical = find_vertical(store_type)
    known = vertical.fulfillment_modes if vertical else ()
    if unknown := [mode for mode in modes if mode not in known]:
        errors["modes"] = [f"{mode} is not a fulfillment mode of this store." for mode in unknown]


async def _check_ids(name: str, table: str, store_id: int, owner_id: int, ids: list[int], errors: Errors) -> None:
    rows = await sql.fetch(
        f"SELECT id FROM {table} WHERE owner_id = $1 AND store_id = $2 AND id = ANY($3::bigint[])",
        owner_id,
        store_id,
        ids,
    )
    known = {row["id"] for row in rows}
    noun = "item" if name == "item_ids" else "category"
    if unknown := [id for id in ids if id not in known]:
        errors[name] = [f"This store has no {noun} {id}." for id in unknown[:10]]


def to_money(minor: int | None, currency: str) -> Money | None:
    """Return an amount, or None for none."""
    return None if minor is None else Money(minor, currency)
