"""The item capabilities of goods: an item's brand, and its last day of sale."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from comanda.contracts import ItemCapability, Values

from comanda_goods.schemas import BrandFields, ExpiryFields
from comanda_goods.services.item_brands import link_item_brand


def get_sold_out_from(values: Values, zone: ZoneInfo) -> datetime | None:
    """Return the midnight that ends ``expires_on`` in the store's time zone, in UTC, or None without a last day."""
    last_day = values.get("expires_on")
    if last_day is None:
        return None
    next_day = date.fromisoformat(last_day) + timedelta(days=1)
    return datetime.combine(next_day, time.min, tzinfo=zone).astimezone(UTC)


BRAND: Final = ItemCapability("brand", "Brand", BrandFields, saved=link_item_brand)
EXPIRY: Final = ItemCapability("expiry", "Last day of sale", ExpiryFields, sold_out_from=get_sold_out_from)
