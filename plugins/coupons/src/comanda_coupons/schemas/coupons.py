"""Bodies and filters of requests about coupons."""

import re
from typing import Annotated

from comanda.contracts import Amount, Count, ExactBody, ExactNumber, Id, Moment, ShortText, example
from pydantic import AfterValidator, BaseModel, Field

from comanda_coupons.models import CouponType

CODE_PATTERN = re.compile(r"[A-Z0-9][A-Z0-9_-]{2,31}")


def _validate_code(text: str) -> str:
    code = text.upper()
    if not CODE_PATTERN.fullmatch(code):
        raise ValueError("must have 3 to 32 letters A to Z, digits, - or _, and begin with a letter or digit")
    return code


Code = Annotated[ShortText, AfterValidator(_validate_code)]
Value = Annotated[ExactNumber, Field(gt=0)]
Cap = Annotated[Amount, Field(gt=0)]
Limit = Annotated[Count, Field(ge=1)]
Modes = Annotated[list[Annotated[str, Field(max_length=30)]], Field(max_length=30)]
Items = Annotated[list[Id], Field(max_length=500)]
Categories = Annotated[list[Id], Field(max_length=100)]


class CouponBody(ExactBody):
    """A coupon to create.

    ``value`` is a percentage for ``percentage``, and an amount in the store's currency for ``fixed``. Empty ``modes``
    means orders of every type; empty ``item_ids`` and ``category_ids``, the whole menu.
    """

    model_config = example(
        {"code": "WELCOME10", "type": "percentage", "value": 10, "min_subtotal": 20, "usage_limit": 100}
    )

    code: Code
    type: CouponType
    value: Value
    min_subtotal: Amount | None = None
    max_discount: Cap | None = None
    starts_at: Moment | None = None
    ends_at: Moment | None = None
    usage_limit: Limit | None = None
    per_customer_limit: Limit | None = None
    first_order_only: bool = False
    modes: Modes = []
    item_ids: Items = []
    category_ids: Categories = []
    is_active: bool = True


class CouponChange(ExactBody):
    """Changes of a coupon. Omitted fields stay as they are; null removes a limit and leaves other fields unchanged."""

    model_config = example({"value": 15, "is_active": True})

    code: Code | None = None
    type: CouponType | None = None
    value: Value | None = None
    min_subtotal: Amount | None = None
    max_discount: Cap | None = None
    starts_at: Moment | None = None
    ends_at: Moment | None = None
    usage_limit: Limit | None = None
    per_customer_limit: Limit | None = None
    first_order_only: bool | None = None
    modes: Modes | None = None
    item_ids: Items | None = None
    category_ids: Categories | None = None
    is_active: bool | None = None


class CouponQuery(BaseModel):
    """Filters for coupons: by part of the code, and by whether they are active."""

    search: Annotated[ShortText, Field(max_length=32)] | None = None
    is_active: bool | None = None
