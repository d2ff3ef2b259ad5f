"""Which stations a member of staff works at."""

from dataclasses import dataclass
from typing import Any, Final

from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.errors import Forbidden, NotFound
from comanda_staff import api as staff

from comanda_kds import stations
from comanda_kds.schemas import StationQuery

PER_PAGE: Final = stations.PER_PAGE


@dataclass(frozen=True, slots=True)
class Post:
    """Where a member works: in a store, at some of its stations, or at all of them if ``station_ids`` is None."""

    owner_id: int
    store_id: int
    station_ids: frozenset[int] | None

    def serves(self, station_id: int | None) -> bool:
        """Tell whether the member works at a station. What is routed to none is everybody's."""
        return self.station_ids is None or station_id is None or station_id in self.station_ids


async def post_of(caller: Caller) -> Post:
    """Return where the caller works. Stations that are gone count as none, and a member with none has all."""
    if caller.store_id is None:
        raise NotFound
    assigned = frozenset(await staff.stations_of(caller))
    if assigned:
        mine = stations.of_store(caller.owner_id, caller.store_id)
        assigned = frozenset([station.id for station in await mine.filter(id__in=list(assigned))])
    return Post(caller.owner_id, caller.store_id, assigned or None)


async def post_at(caller: Caller, query: StationQuery) -> Post:
    """Return where the caller works, narrowed to the station that is asked for, if any.

    Raises ``Forbidden`` for a station that is not the member's, ``NotFound`` for one that the store has not.
    """
    post = await post_of(caller)
    if query.station_id is None:
        return post
    if not post.serves(query.station_id):
        raise Forbidden("You do not work at this station.")
    if not await stations.of_store(post.owner_id, post.store_id).filter(id=query.station_id).exists():
        raise NotFound("The store has no such station.")
    return Post(post.owner_id, post.store_id, frozenset({query.station_id}))


async def page_of_stations(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List the stations that the caller works at, in the owner's order."""
    post = await post_of(caller)
    mine = stations.of_store(post.owner_id, post.store_id)
    if post.station_ids is not None:
        mine = mine.filter(id__in=list(post.station_ids))
    rows = await mine.order_by("position", "id").offset(page.offset(PER_PAGE)).limit(page.size(PER_PAGE))
    return page.envelope([stations.record(row) for row in rows], await mine.count(), PER_PAGE)
