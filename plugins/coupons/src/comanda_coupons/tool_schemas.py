"""Coupons, as agents name and see them."""

from typing import Annotated, Literal

from comanda.contracts.fields import Amount, Count, Id, Moment, ShortText
from comanda.contracts.paging import MAX_PAGE, Page
from comanda.mcp.store_selection import RestaurantArguments
from pydantic import BaseModel, Field

from comanda_coupons.models import CouponType
from comanda_coupons.schemas import Cap, Categories, Code, CouponOut, Items, Limit, Modes, Value

CouponId = Annotated[Id, Field(description="The coupon's id, from list_coupons; not its code.")]
Clearable = Literal["min_subtotal", "max_discount", "starts_at", "ends_at", "usage_limit", "per_customer_limit"]

CODE = "What guests type: 3 to 32 letters A to Z, digits, - or _. Capitals and small letters are the same."
TYPE = "percentage takes off per cent, fixed takes off an amount."
VALUE = "How much: per cent, such as 12.5, or an amount in the store's currency, such as 5."
MINIMUM = "The least an order's items must cost together, in the store's currency."
MOST = "With a percentage: the most it takes off, in the store's currency."
STARTS = "From when it can be used, a time with its UTC offset such as 2027-03-01T00:00:00+00:00."
ENDS = "From when it can be used no more, a time with its UTC offset, after starts_at."
USAGE = "How many orders may use it in all."
EACH = "How many orders of one guest may use it, known by customer account or phone."
FIRST = "Whether it is only for a guest's first order in this store."
MODES = "Types of orders it is for, such as takeaway; empty for all."
ITEMS = "Ids of items, from get_menu, that it takes something off; with category_ids empty too, everything."
CATEGORIES = "Ids of categories, from list_categories, whose items it takes something off."
ACTIVE = "Whether it can be used; false pauses it."


class ListCoupons(RestaurantArguments):
    """Which coupons to list."""

    search: Annotated[ShortText, Field(max_length=32)] | None = Field(None, description="Part of the code.")
    is_active: bool | None = Field(None, description="Only those that are not paused, or only those that are.")
    page: Annotated[Count, Field(ge=1, le=MAX_PAGE, description="Which page, from 1 on.")] = 1


class CreateCoupon(RestaurantArguments):
    """A coupon to create."""

    code: Code = Field(description=CODE)
    type: CouponType = Field(description=TYPE)
    value: Value = Field(description=VALUE)
    min_subtotal: Amount | None = Field(None, description=MINIMUM)
    max_discount: Cap | None = Field(None, description=MOST)
    starts_at: Moment | None = Field(None, description=STARTS)
    ends_at: Moment | None = Field(None, description=ENDS)
    usage_limit: Limit | None = Field(None, description=USAGE)
    per_customer_limit: Limit | None = Field(None, description=EACH)
    first_order_only: bool = Field(False, description=FIRST)
    modes: Modes = Field([], description=MODES)
    item_ids: Items = Field([], description=ITEMS)
    category_ids: Categories = Field([], description=CATEGORIES)
    is_active: bool = Field(True, description=ACTIVE)


class UpdateCoupon(RestaurantArguments):
    """What to change of a coupon."""

    coupon_id: CouponId
    code: Code | None = Field(None, description=CODE)
    type: CouponType | None = Field(None, description=f"{TYPE} Another type needs a value too.")
    value: Value | None = Field(None, description=VALUE)
    min_subtotal: Amount | None = Field(None, description=MINIMUM)
    max_discount: Cap | None = Field(None, description=MOST)
    starts_at: Moment | None = Field(None, description=STARTS)
    ends_at: Moment | None = Field(None, description=ENDS)
    usage_limit: Limit | None = Field(None, description=USAGE)
    per_customer_limit: Limit | None = Field(None, description=EACH)
    first_order_only: bool | None = Field(None, description=FIRST)
    modes: Modes | None = Field(None, description=MODES)
    item_ids: Items | None = Field(None, description=ITEMS)
    category_ids: Categories | None = Field(None, description=CATEGORIES)
    is_active: bool | None = Field(None, description=ACTIVE)
    clear: Annotated[list[Clearable], Field(max_length=6)] = Field([], description="Limits to take away.")


class DeleteCoupon(RestaurantArguments):
    """A coupon to delete."""

    coupon_id: CouponId


class CouponPage(Page[CouponOut]):
    """A page of a store's coupons, amounts in the store's currency."""

    restaurant_id: int


class OneCoupon(BaseModel):
    """A coupon of a store's, amounts in the store's currency."""

    restaurant_id: int
    coupon: CouponOut


class DeletedCoupon(BaseModel):
    """What is gone."""

    id: int
    is_deleted: bool
