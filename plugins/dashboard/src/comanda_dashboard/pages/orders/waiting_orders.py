"""Orders that have waited too long for somebody to start or finish them."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from comanda.basics import clock
from comanda.contracts import Status
from comanda.web.dashboard import Visit

from comanda_dashboard.pages.orders.order_list import ORDERS

# After so long in a status somebody should look.
WAIT_LIMITS: Final = {Status.NEW: timedelta(minutes=10), Status.PREPARING: timedelta(minutes=40)}
MAX_SHOWN: Final = 8


async def list_waiting_orders(visit: Visit, counts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the orders that have waited longest, oldest first. Those for later wait from their time on."""
    found: list[dict[str, Any]] = []
    for status, limit in WAIT_LIMITS.items():
        if not counts.get(status.value, 0):
            continue
        query: dict[str, str | int] = {"status": status, "per_page": MAX_SHOWN, "sort": "oldest"}
        page = await visit.api.get(ORDERS, id=visit.store.id, query=query)
        found += [order for order in page["data"] if _get_wait(order) > limit]
    return sorted(found, key=_get_wait, reverse=True)[:MAX_SHOWN]


def _get_wait(order: Mapping[str, Any]) -> timedelta:
    moment: datetime = order["scheduled_for"] or order["created_at"]
    return clock.now() - moment
