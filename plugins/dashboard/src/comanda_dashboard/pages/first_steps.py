"""The first steps of a new store, shown until each of them is done."""

from dataclasses import dataclass
from typing import Final

from comanda.contracts import Status
from comanda.web import N_, gettext
from comanda.web.dashboard import Visit

from comanda_dashboard.pages.orders.counts import get_counts

MENU: Final = N_("Add your menu")
HOURS: Final = N_("Set your opening hours")
PUBLISH: Final = N_("Publish your store")
ORDER: Final = N_("Take the first order")


@dataclass(frozen=True, slots=True)
class FirstStep:
    """A step with the page on which it is done."""

    label: str
    path: str
    is_done: bool


async def list_first_steps(visit: Visit) -> list[FirstStep]:
    """Return the steps while one is left; nothing for people who may not do them, and once an order was taken."""
    if not (visit.may("restaurants:write") and visit.may("menu:read") and visit.may("orders:read")):
        return []
    store = visit.store
    counts = await get_counts(visit, store.id)
    has_orders = any(counts.get(status, 0) for status in Status)
    if has_orders and store.is_published:
        return []
    categories = await visit.api.get("/restaurants/{id}/menu", id=store.id)
    settings = await visit.api.get("/restaurants/{id}/settings", id=store.id)
    base = f"/stores/{store.id}"
    steps = (
        (MENU, f"{base}/menu", any(category["items"] for category in categories)),
        (HOURS, f"{base}/settings", settings["hours"] is not None),
        (PUBLISH, f"{base}/settings", store.is_published),
        (ORDER, f"{base}/orders/new", has_orders),
    )
    return [FirstStep(gettext(label), path, is_done) for label, path, is_done in steps]
