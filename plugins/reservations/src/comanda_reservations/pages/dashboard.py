"""Reservations in the dashboard: the entry of the navigation, and the panel of the day."""

from typing import Any, Final

from comanda.basics import clock
from comanda.contracts import NavigationEntry, Panel
from comanda.web import N_
from comanda.web.dashboard import DashboardPages, Visit

from comanda_reservations.services.tables import HAS_TABLES

dashboard: Final = DashboardPages("reservations", __name__, has_static=True)

RESERVATIONS: Final = "/restaurants/{id}/reservations"
RESERVATION: Final = f"{RESERVATIONS}/{{reservationId}}"
TABLES: Final = "/restaurants/{id}/tables"
SETTINGS: Final = f"{RESERVATIONS}/settings"
WAITLIST: Final = "/restaurants/{id}/waitlist"
READ: Final = "orders:read"
WRITE: Final = "orders:write"
PER_PAGE: Final = 100
# Pages of the day's list; what comes after them is not shown.
MAX_PAGES: Final = 5
MAX_LISTED: Final = PER_PAGE * MAX_PAGES
MAX_EXPECTED: Final = 6
EXPECTED: Final = frozenset({"pending", "confirmed"})

STATUS_LABELS: Final = {
    "pending": (N_("Not confirmed"), "warn"),
    "confirmed": (N_("Confirmed"), "info"),
    "seated": (N_("Seated"), "good"),
    "completed": (N_("Completed"), "neutral"),
    "cancelled": (N_("Cancelled"), "bad"),
    "no_show": (N_("No-show"), "bad"),
}


async def load_expected_guests(visit: Visit, store_id: int) -> str | None:
    """Return the guests who are still expected today; None without tables."""
    if "tables" not in visit.store.capabilities:
        return None
    today = clock.now().astimezone(visit.zone).date().isoformat()
    expected = [each for each in await list_day(visit, store_id, today) if each["status"] in EXPECTED]
    return await visit.render_fragment(
        "reservations/dashboard/_expected_guests.html",
        expected=expected[:MAX_EXPECTED],
        total=len(expected),
        guests=sum(each["party_size"] for each in expected),
    )


async def list_day(visit: Visit, store_id: int, day: str) -> list[dict[str, Any]]:
    """List the table reservations that begin on a day, by time."""
    return await _list_all(visit, RESERVATIONS, store_id, {"on": day, "kind": "table"})


async def list_tables(visit: Visit, store_id: int) -> list[dict[str, Any]]:
    """List all tables of a store in the owner's order."""
    return await _list_all(visit, TABLES, store_id, {})


async def _list_all(visit: Visit, path: str, store_id: int, query: dict[str, str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for number in range(1, MAX_PAGES + 1):
        page = await visit.api.get(path, id=store_id, query={**query, "per_page": PER_PAGE, "page": number})
        found += page["data"]
        if number >= page["last_page"]:
            break
    return found


NAVIGATION: Final = (
    NavigationEntry(
        N_("Reservations"), "/stores/{store_id}/reservations", "orders", READ, icon="calendar", position=50,
        capability="tables",
    ),
)  # fmt: skip
PANELS: Final = (
    Panel(
        "reservations_today", "today", N_("Reservations today"), load_expected_guests, READ, position=40,
        is_for=HAS_TABLES,
    ),
)  # fmt: skip
