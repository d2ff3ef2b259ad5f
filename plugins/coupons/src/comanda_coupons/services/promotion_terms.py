"""The terms of a promotion: from request bodies to columns, and from columns to records."""

from collections.abc import Collection
from decimal import Decimal
from typing import Any, Final
from zoneinfo import ZoneInfo

from comanda.basics import ValidationFailed, clock, extend_record
from comanda.contracts import TimeWindow
from comanda.platform.db import sql

from comanda_coupons.models import Coupon, PromotionChannel, PromotionType
from comanda_coupons.records import Promotion
from comanda_coupons.schemas.promotions import PromotionBody
from comanda_coupons.services import terms
from comanda_coupons.services.promotion_pricing import to_loaded_promotion
from comanda_coupons.services.terms import Errors

AMOUNTS: Final = ("min_subtotal", "max_discount", "budget")
LISTS: Final = ("modes", "channels", "item_ids", "category_ids")
UNCHANGED_FIELDS: Final = (
    "name", "type", "quantity", "starts_at", "ends_at", "usage_limit", "per_customer_limit", "first_order_only",
    "is_active",
)  # fmt: skip
COUNTED_TYPES: Final = frozenset({PromotionType.NTH_FREE, PromotionType.BUNDLE})


async def set_terms(row: Coupon, store: sql.Row, body: PromotionBody, checked: Collection[str]) -> Collection[str]:
    """Set the terms of a promotion and return the names of the fields that change.

    Modes, items and categories are only checked if their fields are in ``checked``. Raises ``ValidationFailed`` with
    all errors.
    """
    errors: Errors = {}
    currency = store["currency"]
    values: dict[str, Any] = {name: getattr(body, name) for name in UNCHANGED_FIELDS}
    values |= {name: sorted(set(getattr(body, name))) for name in LISTS}
    values["valid_at"] = [window.model_dump(mode="json") for window in body.valid_at]
    values |= {
        f"{name}_minor": terms.parse_amount_minor(name, getattr(body, name), currency, errors) for name in AMOUNTS
    }
    values |= _to_value_columns(body, currency, errors)
    _check_quantity(body, errors)
    _check_budget(values["budget_minor"], values["max_discount_minor"], errors)
    await terms.check_scope(store, row.owner_id, body, checked, errors)
    if errors:
        raise ValidationFailed(errors)
    changed = {name: value for name, value in values.items() if value != getattr(row, name)}
    row.update_from_dict(changed)
    return changed


def to_body(row: Coupon, currency: str) -> PromotionBody:
    """Return a promotion as the body that would create it, not validated."""
    promotion = to_promotion(row, currency, ZoneInfo("UTC"))
    amounts = {name: getattr(promotion, name) for name in AMOUNTS}
    values: dict[str, Any] = {name: getattr(row, name) for name in (*UNCHANGED_FIELDS, *LISTS, "valid_at")}
    values |= {name: None if amount is None else amount.to_number() for name, amount in amounts.items()}
    values["value"] = None if promotion.value is None else Decimal(str(promotion.value))
    return PromotionBody.model_construct(**values)


def to_promotion(row: Coupon, currency: str, zone: ZoneInfo) -> Promotion:
    """Return the record of a promotion."""
    moment = clock.now()
    period = to_loaded_promotion(vars(row), row.valid_at).find_period(zone, moment)
    return extend_record(
        Promotion,
        row,
        name=row.name or "",
        type=PromotionType(row.type),
        value=None if row.type == PromotionType.NTH_FREE else terms.to_value(row, currency),
        min_subtotal=terms.to_money(row.min_subtotal_minor, currency),
        max_discount=terms.to_money(row.max_discount_minor, currency),
        valid_at=[TimeWindow.model_validate(window) for window in row.valid_at],
        budget=terms.to_money(row.budget_minor, currency),
        channels=[PromotionChannel(channel) for channel in row.channels],
        status=terms.get_status(row, moment),
        is_on=period.is_orderable,
        changes_at=period.changes_at,
        spent=terms.to_money(row.spent_minor, currency),
    )


def _to_value_columns(body: PromotionBody, currency: str, errors: Errors) -> dict[str, int | None]:
    nothing: dict[str, int | None] = {"value_ppm": None, "value_minor": None}
    if body.type is PromotionType.NTH_FREE:
        if body.value is not None:
            errors["value"] = ["Every nth unit is free: this type has no value."]
        return nothing
    if body.value is None:
        errors["value"] = ["This field is required."]
        return nothing
    if body.type is PromotionType.PERCENTAGE:
        return {**nothing, "value_ppm": terms.parse_percentage(body.value, errors)}
    return {**nothing, "value_minor": terms.parse_amount_minor("value", body.value, currency, errors)}


def _check_quantity(body: PromotionBody, errors: Errors) -> None:
    if body.type in COUNTED_TYPES and body.quantity is None:
        errors["quantity"] = ["This field is required."]
    if body.type not in COUNTED_TYPES and body.quantity is not None:
        errors["quantity"] = ["Only every nth unit free and bundles have a quantity."]


def _check_budget(budget: int | None, highest: int | None, errors: Errors) -> None:
    if budget is not None and highest is None and "max_discount" not in errors:
        errors["max_discount"] = ["A budget needs the highest discount of an order."]
    if budget is not None and highest is not None and highest > budget:
        errors["max_discount"] = ["Must not be more than the budget."]
