"""Stations of a store's kitchen."""

from collections.abc import Collection
from typing import Final

from comanda.basics import Conflict, Sentence, ValidationFailed, clock, require_found
from comanda.contracts import Caller, PageRequest, RecordPage
from tortoise.queryset import QuerySet

from comanda_kds import models
from comanda_kds.records import Station
from comanda_kds.schemas import StationBody, StationChange
from comanda_kds.services import kitchen_settings

MAX_STATIONS: Final = 50
PER_PAGE: Final = 50


async def list_stations(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[Station]:
    """List a kitchen's stations by position. Raises ``NotFound``."""
    await kitchen_settings.check_kitchen(caller, store_id)
    stations = query_stations(caller.owner_id, store_id)
    rows = await stations.order_by("position", "id").offset(page.offset(PER_PAGE)).limit(page.size(PER_PAGE))
    return page.of([to_station(row) for row in rows], await page.get_total(rows, stations.count, PER_PAGE), PER_PAGE)


async def get_station(caller: Caller, store_id: int, station_id: int) -> Station:
    """Return a station. Raises ``NotFound``."""
    await kitchen_settings.check_kitchen(caller, store_id)
    return to_station(await _get_station_row(caller, store_id, station_id))


async def create_station(caller: Caller, store_id: int, body: StationBody) -> Station:
    """Create a station; the first one becomes the default.

    Raises ``NotFound``, ``ValidationFailed`` for a name in use, ``Conflict`` beyond ``MAX_STATIONS``.
    """
    await kitchen_settings.check_kitchen(caller, store_id)
    async with kitchen_settings.lock_configuration(caller.owner_id, store_id):
        stations = query_stations(caller.owner_id, store_id)
        await _check_name(stations, body.name)
        count = await stations.count()
        if count >= MAX_STATIONS:
            raise Conflict(
                Sentence("A kitchen has at most %(limit)s stations.", limit=MAX_STATIONS),
                extras={"limits": {"stations": MAX_STATIONS}},
            )
        is_default = body.is_default or count == 0
        if is_default:
            await stations.update(is_default=False)
        station = await models.Station.create(
            owner_id=caller.owner_id,
            store_id=store_id,
            name=body.name,
            position=body.position,
            is_default=is_default,
            bumps=body.bumps,
            created_at=clock.now(),
        )
    return to_station(station)


async def update_station(caller: Caller, store_id: int, station_id: int, change: StationChange) -> Station:
    """Update a station.

    Raises ``NotFound``; ``ValidationFailed`` for a name in use, and for unsetting the default.
    """
    await kitchen_settings.check_kitchen(caller, store_id)
    changes = change.model_dump(exclude_none=True) | change.model_dump(include={"bumps"}, exclude_unset=True)
    async with kitchen_settings.lock_configuration(caller.owner_id, store_id):
        station = await _get_station_row(caller, store_id, station_id)
        stations = query_stations(caller.owner_id, store_id)
        await _check_name(stations.exclude(id=station_id), changes.get("name"))
        if station.is_default and changes.get("is_default") is False:
            raise ValidationFailed(is_default=[Sentence("Make another station the default instead.")])
        if changes.get("is_default"):
            await stations.exclude(id=station_id).update(is_default=False)
        if changes:
            station.update_from_dict(changes)
            await station.save(update_fields=list(changes))
    return to_station(station)


async def delete_station(caller: Caller, store_id: int, station_id: int) -> None:
    """Delete a station and its routes; if it was the default, another becomes it. Raises ``NotFound``."""
    await kitchen_settings.check_kitchen(caller, store_id)
    async with kitchen_settings.lock_configuration(caller.owner_id, store_id):
        station = await _get_station_row(caller, store_id, station_id)
        await station.delete()
        if station.is_default:
            successor = await query_stations(caller.owner_id, store_id).order_by("position", "id").first()
            if successor is not None:
                successor.is_default = True
                await successor.save(update_fields=["is_default"])


def query_stations(owner_id: int, store_id: int) -> QuerySet[models.Station]:
    """Return the query for a store's stations."""
    return models.Station.filter(owner_id=owner_id, store_id=store_id)


async def list_existing_ids(owner_id: int, store_id: int, station_ids: Collection[int]) -> list[int]:
    """Return the ids that belong to the store's stations."""
    rows = await query_stations(owner_id, store_id).filter(id__in=list(station_ids)).values_list("id", flat=True)
    return [int(str(id)) for id in rows]


def to_station(row: models.Station) -> Station:
    """Return a station from its row."""
    return Station(row.id, row.name, row.position, row.is_default, row.bumps)


async def _get_station_row(caller: Caller, store_id: int, station_id: int) -> models.Station:
    return require_found(await query_stations(caller.owner_id, store_id).get_or_none(id=station_id))


async def _check_name(others: QuerySet[models.Station], name: str | None) -> None:
    if name is not None and await others.filter(name__iexact=name).exists():
        raise ValidationFailed(name=[Sentence("There is a station %(name)s already.", name=name)])
