"""The item capabilities of goods: an item's brand, last day of sale, packaging, weight and maker."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from comanda.contracts import ALWAYS_ORDERABLE, ItemCapability, Orderability, Values
from comanda.web import N_

from comanda_goods.pages.item_facts import describe_manufacturer, list_price_facts, list_safety_facts, list_weight_facts
from comanda_goods.schemas import BrandFields, ByWeightFields, ExpiryFields, PackagingFields, SafetyFields
from comanda_goods.services.item_brands import link_item_brand


def find_orderability(values: Values, zone: ZoneInfo, moment: datetime) -> Orderability:
    """Return that an item can be ordered before the midnight that ends ``expires_on`` in the store's time zone."""
    last_day = values.get("expires_on")
    if last_day is None:
        return ALWAYS_ORDERABLE
    next_day = date.fromisoformat(last_day) + timedelta(days=1)
    end = datetime.combine(next_day, time.min, tzinfo=zone).astimezone(UTC)
    return Orderability(True, end) if moment < end else Orderability(False)


BRAND: Final = ItemCapability("brand", "Brand", BrandFields, saved=link_item_brand)
EXPIRY: Final = ItemCapability("expiry", "Last day of sale", ExpiryFields, orderable_at=find_orderability)
PACKAGING: Final = ItemCapability(
    "packaging", N_("Content and container deposit"), PackagingFields, price_facts=list_price_facts, is_folded=True
)
BY_WEIGHT: Final = ItemCapability(
    "by_weight", N_("Sold by weight"), ByWeightFields, price_facts=list_weight_facts, is_folded=True
)
PRODUCT_SAFETY: Final = ItemCapability(
    "product_safety",
    N_("Manufacturer and safety"),
    SafetyFields,
    table=list_safety_facts,
    schema_org=describe_manufacturer,
    is_folded=True,
)
