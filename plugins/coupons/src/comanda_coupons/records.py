"""Records of coupons and promotions, as services return them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from comanda.basics import Money
from comanda.contracts import RecordPage, StoreId, TimeWindow

from comanda_coupons.models import CouponType, PromotionChannel, PromotionType


class Standing(StrEnum):
    """Whether a coupon can be used now; the first status that applies."""

    INACTIVE = "inactive"
    EXPIRED = "expired"
    SCHEDULED = "scheduled"
    USED_UP = "used_up"
    ACTIVE = "active"


@dataclass(frozen=True, slots=True)
class Coupon:
    """A coupon. ``used_count`` counts its uses by orders that are not cancelled.

    ``value`` is a percentage of the items it applies to, or an amount in the store's currency.
    """

    id: int
    code: str
    type: CouponType
    value: float
    min_subtotal: Money | None
    max_discount: Money | None
    starts_at: datetime | None
    ends_at: datetime | None
    usage_limit: int | None
    per_customer_limit: int | None
    first_order_only: bool
    modes: Sequence[str]
    item_ids: Sequence[int]
    category_ids: Sequence[int]
    is_active: bool
    status: Standing
    used_count: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Promotion:
    """A promotion, which needs no code. ``used_count`` and ``spent`` are counted if it has a limit or a budget.

    ``status`` says whether it is to be used at all, ``is_on`` whether it is on now, and ``changes_at`` when that
    changes next. ``value`` is a percentage or an amount in the store's currency, as its ``type`` says.
    """

    id: int
    name: str
    type: PromotionType
    value: float | None
    quantity: int | None
    min_subtotal: Money | None
    max_discount: Money | None
    starts_at: datetime | None
    ends_at: datetime | None
    valid_at: Sequence[TimeWindow]
    usage_limit: int | None
    per_customer_limit: int | None
    first_order_only: bool
    budget: Money | None
    modes: Sequence[str]
    channels: Sequence[PromotionChannel]
    item_ids: Sequence[int]
    category_ids: Sequence[int]
    is_active: bool
    status: Standing
    is_on: bool
    changes_at: datetime | None
    used_count: int
    spent: Money | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class StoreCoupons(RecordPage[Coupon]):
    """A page of a store's coupons, amounts in the store's currency."""

    data: list[Coupon]
    store_id: StoreId


@dataclass(frozen=True, slots=True)
class StoreCoupon:
    """A coupon of a store, amounts in the store's currency."""

    store_id: StoreId
    coupon: Coupon
