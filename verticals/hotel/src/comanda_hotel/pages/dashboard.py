"""Hotels in the dashboard: the entries of the navigation, and the panel of the day."""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from comanda.basics import clock
from comanda.contracts import NavigationEntry, Panel
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import DashboardPages, Visit
from comanda_payments.api import PrepaymentStatus
from comanda_reservations.api import DEPOSIT_LABELS

from comanda_hotel.models import Housekeeping, StayStatus
from comanda_hotel.services.hotels import CAPABILITY

dashboard: Final = DashboardPages("hotel", __name__, has_static=True)

AVAILABILITY: Final = "/restaurants/{id}/availability"
OCCUPANCY: Final = "/restaurants/{id}/occupancy"
STAYS: Final = "/restaurants/{id}/stays"
STAY: Final = f"{STAYS}/{{stayId}}"
ROOMS: Final = "/restaurants/{id}/rooms"
ROOM: Final = f"{ROOMS}/{{roomId}}"
ROOM_TYPES: Final = "/restaurants/{id}/room-types"
ROOM_TYPE: Final = f"{ROOM_TYPES}/{{typeId}}"
FOREIGN_BOOKINGS: Final = "/restaurants/{id}/foreign-bookings"
# The front desk works with orders; rooms, types and rates are part of the store.
READ: Final = "orders:read"
WRITE: Final = "orders:write"
READ_STORE: Final = "restaurants:read"
WRITE_STORE: Final = "restaurants:write"

PER_PAGE: Final = 100
# Pages of a list that a choice is made from; what comes after them is left out.
MAX_PAGES: Final = 5
MAX_EXPECTED: Final = 8
FIRST_DAY: Final = date(1970, 2, 1)
LAST_DAY: Final = date(2999, 10, 1)

STATUS_LABELS: Final = {
    StayStatus.OPTIONAL: (N_("On hold"), "warn"),
    StayStatus.CONFIRMED: (N_("Confirmed"), "info"),
    StayStatus.CHECKED_IN: (N_("In house"), "good"),
    StayStatus.CHECKED_OUT: (N_("Checked out"), "neutral"),
    StayStatus.CANCELLED: (N_("Cancelled"), "bad"),
    StayStatus.NO_SHOW: (N_("No-show"), "bad"),
}
# A kept deposit is the fee of a no-show.
FEE_LABELS: Final[Mapping[str, tuple[str, str]]] = {
    **DEPOSIT_LABELS,
    PrepaymentStatus.OPEN: (N_("Not paid"), "warn"),
    PrepaymentStatus.PAID: (N_("Paid"), "good"),
    PrepaymentStatus.KEPT: (N_("Paid"), "good"),
    PrepaymentStatus.CANCELLED: (N_("Not paid"), "neutral"),
}
HOUSEKEEPING_LABELS: Final = {
    Housekeeping.CLEAN: (N_("Clean"), "good"),
    Housekeeping.INSPECTED: (N_("Inspected"), "good"),
    Housekeeping.DIRTY: (N_("Dirty"), "warn"),
    Housekeeping.OUT_OF_ORDER: (N_("Out of order"), "bad"),
}


async def load_day(visit: Visit, store_id: int) -> str | None:
    """Return the guests who arrive and leave today and have not done so; None for stores without rooms."""
    if CAPABILITY not in visit.store.capabilities:
        return None
    today = get_today(visit).isoformat()
    arrivals = await _list_stays(visit, store_id, {"arrivals_on": today, "status": "confirmed"})
    departures = await _list_stays(visit, store_id, {"departures_on": today, "status": "checked_in"})
    in_house = await visit.api.get(STAYS, id=store_id, query={"in_house": "true", "per_page": 1})
    return await visit.render_fragment(
        "hotel/dashboard/_arrivals_and_departures.html",
        arrivals=arrivals,
        departures=departures,
        in_house=in_house["total"],
        conflicts=await count_conflicts(visit, store_id),
        maximum=MAX_EXPECTED,
    )


async def count_conflicts(visit: Visit, store_id: int) -> int:
    """Return how many bookings of other platforms have no room."""
    found = await visit.api.get(FOREIGN_BOOKINGS, id=store_id, query={"in_conflict": "true", "per_page": 1})
    return int(found["total"])


async def list_all(visit: Visit, path: str, query: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """Return what a paged route of the store lists, of as many pages as a choice can be made from."""
    found: list[dict[str, Any]] = []
    for number in range(1, MAX_PAGES + 1):
        asked = {**(query or {}), "per_page": PER_PAGE, "page": number}
        page = await visit.api.get(path, id=visit.store.id, query=asked)
        found += page["data"]
        if number >= page["last_page"]:
            break
    return found


def get_today(visit: Visit) -> date:
    """Return the current day at the hotel."""
    return clock.now().astimezone(visit.zone).date()


def parse_day(text: str) -> date | None:
    """Return a day of an address, or None if it is none that a grid can begin with."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if FIRST_DAY <= day <= LAST_DAY else None


def get_labels() -> dict[str, Any]:
    """Return the labels of statuses, with the tones of their badges."""
    return {
        "statuses": {status.value: (_(label), tone) for status, (label, tone) in STATUS_LABELS.items()},
        "housekeeping": {status.value: (_(label), tone) for status, (label, tone) in HOUSEKEEPING_LABELS.items()},
    }


async def _list_stays(visit: Visit, store_id: int, query: Mapping[str, Any]) -> dict[str, Any]:
    page: dict[str, Any] = await visit.api.get(STAYS, id=store_id, query={**query, "per_page": MAX_EXPECTED})
    return page


NAVIGATION: Final = (
    NavigationEntry(
        N_("Stays"), "/stores/{store_id}/stays", "orders", READ, icon="bed", position=50, capability=CAPABILITY
    ),
    NavigationEntry(
        N_("Rooms"), "/stores/{store_id}/rooms", "orders", READ_STORE, icon="building", position=55,
        capability=CAPABILITY,
    ),
)  # fmt: skip
PANELS: Final = (
    Panel(
        "arrivals_and_departures", "today", N_("Arrivals and departures today"), load_day, READ,
        position=40,
    ),
)  # fmt: skip
