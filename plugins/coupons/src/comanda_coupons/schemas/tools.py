"""Arguments and results of the coupon tools."""

from typing import Annotated, Literal

from comanda.contracts import MAX_PAGE, Amount, Count, Id, Moment, ShortText
from comanda.platform.mcp import RestaurantArguments
from pydantic import BaseModel, Field

from comanda_coupons.models import CouponType
from comanda_coupons.schemas.coupons import Cap, Categories, Code, Items, Limit, Modes, Value

CouponId = Annotated[Id, Field(description="The coupon's id, from list_coupons; not its code.")]
Clearable = Literal["min_subtotal", "max_discount", "starts_at", "ends_at", "usage_limit", "per_customer_limit"]

CODE = "The code guests enter: 3 to 32 letters A to Z, digits, - or _. Case does not matter."
TYPE = "percentage for a percentage discount, fixed for an amount."
VALUE = "The discount: a percentage such as 12.5, or an amount in the store's currency such as 5."
MIN_SUBTOTAL = "The minimum subtotal of the order, in the store's currency."
MAX_DISCOUNT = "For a percentage: the maximum discount, in the store's currency."
STARTS_AT = "When it becomes valid, a time with UTC offset such as 2027-03-01T00:00:00+00:00."
ENDS_AT = "When it stops being valid, a time with UTC offset, after starts_at."
USAGE_LIMIT = "The maximum number of orders that can use it."
PER_CUSTOMER_LIMIT = "The maximum number of orders per guest, identified by customer account or phone."
FIRST_ORDER_ONLY = "Whether it is only valid for a guest's first order in this store."
MODES = "The order types it is valid for, such as takeaway; empty for all."
ITEMS = "Ids of the items it applies to, from get_menu; with category_ids empty too, all items."
CATEGORIES = "Ids of the categories it applies to, from list_categories."
IS_ACTIVE = "Whether it is active; false pauses it."


class ListCoupons(RestaurantArguments):
    """Filters for coupons."""

    search: Annotated[ShortText, Field(max_length=32)] | None = Field(None, description="Part of the code.")
    is_active: bool | None = Field(None, description="Only active coupons, or only paused ones.")
    page: Annotated[Count, Field(ge=1, le=MAX_PAGE, description="The page number, from 1.")] = 1


class CreateCoupon(RestaurantArguments):
    """A coupon to create."""

    code: Code = Field(description=CODE)
    type: CouponType = Field(description=TYPE)
    value: Value = Field(description=VALUE)
    min_subtotal: Amount | None = Field(None, description=MIN_SUBTOTAL)
    max_discount: Cap | None = Field(None, description=MAX_DISCOUNT)
    starts_at: Moment | None = Field(None, description=STARTS_AT)
    ends_at: Moment | None = Field(None, description=ENDS_AT)
    usage_limit: Limit | None = Field(None, description=USAGE_LIMIT)
    per_customer_limit: Limit | None = Field(None, description=PER_CUSTOMER_LIMIT)
    first_order_only: bool = Field(False, description=FIRST_ORDER_ONLY)
    modes: Modes = Field([], description=MODES)
    item_ids: Items = Field([], description=ITEMS)
    category_ids: Categories = Field([], description=CATEGORIES)
    is_active: bool = Field(True, description=IS_ACTIVE)


class UpdateCoupon(RestaurantArguments):
    """Changes of a coupon."""

    coupon_id: CouponId
    code: Code | None = Field(None, description=CODE)
    type: CouponType | None = Field(None, description=f"{TYPE} A new type requires a value too.")
    value: Value | None = Field(None, description=VALUE)
    min_subtotal: Amount | None = Field(None, description=MIN_SUBTOTAL)
    max_discount: Cap | None = Field(None, description=MAX_DISCOUNT)
    starts_at: Moment | None = Field(None, description=STARTS_AT)
    ends_at: Moment | None = Field(None, description=ENDS_AT)
    usage_limit: Limit | None = Field(None, description=USAGE_LIMIT)
    per_customer_limit: Limit | None = Field(None, description=PER_CUSTOMER_LIMIT)
    first_order_only: bool | None = Field(None, description=FIRST_ORDER_ONLY)
    modes: Modes | None = Field(None, description=MODES)
    item_ids: Items | None = Field(None, description=ITEMS)
    category_ids: Categories | None = Field(None, description=CATEGORIES)
    is_active: bool | None = Field(None, description=IS_ACTIVE)
    clear: Annotated[list[Clearable], Field(max_length=6)] = Field([], description="Limits to remove.")


class DeleteCoupon(RestaurantArguments):
    """A coupon to delete."""

    coupon_id: CouponId


class DeletedCoupon(BaseModel):
    """The deleted coupon."""

    id: int
    is_deleted: bool
