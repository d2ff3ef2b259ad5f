"""The stations of a kitchen: listed, added, changed, removed."""

from collections.abc import Collection
from typing import Any, Final

from comanda import clock
from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.errors import Conflict, NotFound, ValidationFailed
from tortoise.queryset import QuerySet

from comanda_kds import rules
from comanda_kds.models import Station
from comanda_kds.schemas import StationBody, StationChange

MAX_STATIONS: Final = 50
PER_PAGE: Final = 50


async def page_of_stations(caller: Caller, store_id: int, page: PageRequest) -> dict[str, Any]:
    """List a kitchen's stations in the owner's order. Raises ``NotFound``."""
    await rules.must_have_kitchen(caller, store_id)
    mine = of_store(caller.owner_id, store_id)
    rows = await mine.order_by("position", "id").offset(page.offset(PER_PAGE)).limit(page.size(PER_PAGE))
    return page.envelope([record(row) for row in rows], await mine.count(), PER_PAGE)


async def station(caller: Caller, store_id: int, station_id: int) -> dict[str, Any]:
    """Describe one station. Raises ``NotFound``."""
    await rules.must_have_kitchen(caller, store_id)
    return record(await _find(caller, store_id, station_id))


async def add_station(caller: Caller, store_id: int, body: StationBody) -> dict[str, Any]:
    """Add a station; the first is the default.

    Raises ``NotFound``, ``ValidationFailed`` for a name that is taken, ``Conflict`` beyond ``MAX_STATIONS``.
    """
    await rules.must_have_kitchen(caller, store_id)
    async with rules.configuring(caller.owner_id, store_id):
        mine = of_store(caller.owner_id, store_id)
        await _check_name(mine, body.name)
        count = await mine.count()
        if count >= MAX_STATIONS:
            raise Conflict(
                f"A kitchen has at most {MAX_STATIONS} stations.", extras={"limits": {"stations": MAX_STATIONS}}
            )
        is_default = body.is_default or count == 0
        if is_default:
            await mine.update(is_default=False)
        made = await Station.create(
            owner_id=caller.owner_id,
            store_id=store_id,
            name=body.name,
            position=body.position,
            is_default=is_default,
            created_at=clock.now(),
        )
    return record(made)


async def change_station(caller: Caller, store_id: int, station_id: int, change: StationChange) -> dict[str, Any]:
    """Change a station.

    Raises ``NotFound``; ``ValidationFailed`` for a name that is taken, and for the default that would be none.
    """
    await rules.must_have_kitchen(caller, store_id)
    given = change.model_dump(exclude_none=True)
    async with rules.configuring(caller.owner_id, store_id):
        found = await _find(caller, store_id, station_id)
        mine = of_store(caller.owner_id, store_id)
        await _check_name(mine.exclude(id=station_id), given.get("name"))
        if found.is_default and given.get("is_default") is False:
            raise ValidationFailed(is_default=["Make another station the default instead."])
        if given.get("is_default"):
            await mine.exclude(id=station_id).update(is_default=False)
        if given:
            found.update_from_dict(given)
            await found.save(update_fields=list(given))
    return record(found)


async def delete_station(caller: Caller, store_id: int, station_id: int) -> None:
    """Delete a station and what was routed to it; another becomes the default if it was that. Raises ``NotFound``."""
    await rules.must_have_kitchen(caller, store_id)
    async with rules.configuring(caller.owner_id, store_id):
        found = await _find(caller, store_id, station_id)
        await found.delete()
        if found.is_default:
            heir = await of_store(caller.owner_id, store_id).order_by("position", "id").first()
            if heir is not None:
                heir.is_default = True
                await heir.save(update_fields=["is_default"])


def of_store(owner_id: int, store_id: int) -> QuerySet[Station]:
    """Return the query for a store's stations."""
    return Station.filter(owner_id=owner_id, store_id=store_id)


async def existing(owner_id: int, store_id: int, station_ids: Collection[int]) -> list[int]:
    """Return those of the ids that are the store's stations."""
    rows = await of_store(owner_id, store_id).filter(id__in=list(station_ids)).values_list("id", flat=True)
    return [int(str(id)) for id in rows]


def record(row: Station) -> dict[str, Any]:
    """Make a station as answers show it."""
    return {"id": row.id, "name": row.name, "position": row.position, "is_default": row.is_default}


async def _find(caller: Caller, store_id: int, station_id: int) -> Station:
    found = await of_store(caller.owner_id, store_id).get_or_none(id=station_id)
    if found is None:
        raise NotFound
    return found


async def _check_name(others: QuerySet[Station], name: str | None) -> None:
    if name is not None and await others.filter(name__iexact=name).exists():
        raise ValidationFailed(name=[f"There is a station {name} already."])
