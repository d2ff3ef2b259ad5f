"""The days and times that a store's page offers for orders for later."""

from datetime import date
from typing import Any

from comanda.basics import clock

from comanda_storefront import store_settings
from comanda_storefront.pages.checkout import order_times
from comanda_storefront.services import published_stores


async def list_order_times(slug: str, day: date | None) -> dict[str, Any]:
    """List the days for which guests can order, and the times of one, by default of the first. Raises ``NotFound``."""
    terms = (await published_stores.get_published_store(slug)).menu.terms
    settings, now = store_settings.get_settings(terms), clock.now()
    days = order_times.list_days(terms, settings, now)
    chosen = day or next(iter(days), None)
    times = order_times.list_times(terms, settings, chosen, now) if chosen is not None else []
    return {"days": days, "slots": [{"starts_at": moment, "is_free": True} for moment in times]}
