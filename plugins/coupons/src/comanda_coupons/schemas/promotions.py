"""Bodies and filters of requests about promotions."""

from typing import Annotated, Any, Final

from comanda.contracts import Amount, Count, ExactBody, Moment, ShortText, TimeWindow, example
from pydantic import BaseModel, Field

from comanda_coupons.models import PromotionChannel, PromotionType
from comanda_coupons.schemas.coupons import Cap, Categories, Items, Limit, Modes, Value

MAX_WINDOWS: Final = 10
EXAMPLE: Final[dict[str, Any]] = {
    "name": "Happy hour",
    "type": "percentage",
    "value": 20,
    "valid_at": [{"days": ["mon", "tue", "wed", "thu", "fri"], "from": "17:00", "until": "19:00"}],
}

Name = Annotated[ShortText, Field(min_length=1, max_length=80)]
Quantity = Annotated[Count, Field(ge=2, le=20)]
Windows = Annotated[list[TimeWindow], Field(max_length=MAX_WINDOWS)]
Channels = Annotated[list[PromotionChannel], Field(max_length=len(PromotionChannel))]


class PromotionBody(ExactBody):
    """A promotion to create.

    ``value`` is a percentage for ``percentage``; for ``fixed`` an amount off all that it covers, for ``price_cut`` off
    each unit, and for ``bundle`` the price of ``quantity`` units; ``nth_free`` has only the ``quantity``. Empty
    ``modes``, ``channels`` and ``valid_at`` mean all and always, and empty ``item_ids`` and ``category_ids`` the whole
    menu.
    """

    model_config = example(EXAMPLE)

    name: Name
    type: PromotionType
    value: Value | None = None
    quantity: Quantity | None = None
    min_subtotal: Amount | None = None
    max_discount: Cap | None = None
    starts_at: Moment | None = None
    ends_at: Moment | None = None
    valid_at: Windows = []
    usage_limit: Limit | None = None
    per_customer_limit: Limit | None = None
    first_order_only: bool = False
    budget: Cap | None = None
    modes: Modes = []
    channels: Channels = []
    item_ids: Items = []
    category_ids: Categories = []
    is_active: bool = True


class PromotionChange(ExactBody):
    """Changes of a promotion. Omitted fields stay as they are; null removes a limit or a value."""

    model_config = example({"value": 25, "is_active": True})

    name: Name | None = None
    type: PromotionType | None = None
    value: Value | None = None
    quantity: Quantity | None = None
    min_subtotal: Amount | None = None
    max_discount: Cap | None = None
    starts_at: Moment | None = None
    ends_at: Moment | None = None
    valid_at: Windows | None = None
    usage_limit: Limit | None = None
    per_customer_limit: Limit | None = None
    first_order_only: bool | None = None
    budget: Cap | None = None
    modes: Modes | None = None
    channels: Channels | None = None
    item_ids: Items | None = None
    category_ids: Categories | None = None
    is_active: bool | None = None


class PromotionQuery(BaseModel):
    """Filters for promotions: by whether they are active."""

    is_active: bool | None = None
