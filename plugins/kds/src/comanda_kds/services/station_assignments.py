"""Station assignments of staff members."""

from dataclasses import dataclass
from typing import Final

from comanda.basics import Forbidden, NotFound, Sentence
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda_staff import api as staff

from comanda_kds.records import Station
from comanda_kds.schemas import StationQuery
from comanda_kds.services import stations

PER_PAGE: Final = stations.PER_PAGE


@dataclass(frozen=True, slots=True)
class StationAssignment:
    """The stations of a store that a member works at; all of them if ``station_ids`` is None."""

    owner_id: int
    store_id: int
    station_ids: frozenset[int] | None

    def includes(self, station_id: int | None) -> bool:
        """Return whether the member works at a station; items without a station belong to everyone."""
        return self.station_ids is None or station_id is None or station_id in self.station_ids


async def get_assignment(caller: Caller) -> StationAssignment:
    """Return the caller's assignment. Deleted stations are ignored; a member without stations works at all of them."""
    if caller.store_id is None:
        raise NotFound
    assigned = frozenset(await staff.list_station_ids(caller))
    if assigned:
        store_stations = stations.query_stations(caller.owner_id, caller.store_id)
        assigned = frozenset([station.id for station in await store_stations.filter(id__in=list(assigned))])
    return StationAssignment(caller.owner_id, caller.store_id, assigned or None)


async def get_assignment_at(caller: Caller, query: StationQuery) -> StationAssignment:
    """Return the caller's assignment, narrowed to the requested station, if any.

    Raises ``Forbidden`` for a station that the member does not work at, ``NotFound`` for one of another store.
    """
    assignment = await get_assignment(caller)
    if query.station_id is None:
        return assignment
    if not assignment.includes(query.station_id):
        raise Forbidden(Sentence("You do not work at this station."))
    if not await stations.query_stations(assignment.owner_id, assignment.store_id).filter(id=query.station_id).exists():
        raise NotFound(Sentence("The store has no such station."))
    return StationAssignment(assignment.owner_id, assignment.store_id, frozenset({query.station_id}))


async def list_assigned_stations(caller: Caller, page: PageRequest) -> RecordPage[Station]:
    """List the stations that the caller works at, by position."""
    assignment = await get_assignment(caller)
    store_stations = stations.query_stations(assignment.owner_id, assignment.store_id)
    if assignment.station_ids is not None:
        store_stations = store_stations.filter(id__in=list(assignment.station_ids))
    rows = await store_stations.order_by("position", "id").offset(page.offset(PER_PAGE)).limit(page.size(PER_PAGE))
    return page.of(
        [stations.to_station(row) for row in rows], await page.get_total(rows, store_stations.count, PER_PAGE), PER_PAGE
    )
