"""The occupancy grid: rooms down, nights across, and the stays that take them."""

from calendar import SATURDAY
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from comanda.web.dashboard import Visit
from quart import Response, request

from comanda_hotel.models import StayStatus
from comanda_hotel.pages.dashboard import (
    OCCUPANCY,
    READ,
    STAYS,
    count_conflicts,
    dashboard,
    get_labels,
    get_today,
    list_all,
    parse_day,
)

# How many nights the grid shows at a time.
LENGTHS: Final = (14, 30)
ROOMS_PER_PAGE: Final = 50
OPEN: Final = frozenset({StayStatus.OPTIONAL, StayStatus.CONFIRMED})


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell of a room's row: one free night, or the nights that a stay or a block takes."""

    day: date
    length: int
    taken: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class GridDay:
    """The head of a column."""

    day: date
    is_today: bool
    is_weekend: bool


@dashboard.get("/stores/<int:store_id>/stays", scope=READ)
async def show_occupancy(visit: Visit, store_id: int) -> Response:
    """Show which nights of the rooms are taken, and the stays of these nights that have no room."""
    today = get_today(visit)
    since = parse_day(request.args.get("from", "")) or today
    length = LENGTHS[request.args.get("nights") == str(LENGTHS[1])]
    until = since + timedelta(days=length)
    nights = {"from": since.isoformat(), "to": until.isoformat()}
    rooms = await visit.api.get(
        OCCUPANCY, id=store_id, query={**nights, **visit.query("page"), "per_page": ROOMS_PER_PAGE}
    )
    stays = await list_all(visit, STAYS, {**nights, "has_room": "false"})
    return await visit.render(
        "hotel/dashboard/occupancy.html",
        rooms=rooms,
        rows=[(room, list_cells(room["nights"], since, until)) for room in rooms["data"]],
        days=[_to_grid_day(since + timedelta(days=number), today) for number in range(length)],
        without_room=sorted((each for each in stays if each["status"] in OPEN), key=lambda each: each["check_in"]),
        conflicts=await count_conflicts(visit, store_id),
        since=since,
        length=length,
        lengths=LENGTHS,
        before=since - timedelta(days=length),
        after=until,
        **get_labels(),
    )


def list_cells(nights: Sequence[dict[str, Any]], since: date, until: date) -> list[GridCell]:
    """Return the cells of a row from its taken nights, which lie between the days and are in their order."""
    cells, day = [], since
    for taken in nights:
        start, end = taken["from"], taken["to"]
        cells += _list_free_cells(day, start)
        cells.append(GridCell(start, (end - start).days, taken))
        day = end
    return cells + _list_free_cells(day, until)


def _list_free_cells(since: date, until: date) -> list[GridCell]:
    return [GridCell(since + timedelta(days=number), 1) for number in range((until - since).days)]


def _to_grid_day(day: date, today: date) -> GridDay:
    return GridDay(day, day == today, day.weekday() >= SATURDAY)
