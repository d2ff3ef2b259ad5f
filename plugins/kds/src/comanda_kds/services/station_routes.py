"""Routes of items and categories to stations."""

from typing import Final, Literal

from comanda.basics import NotFound, Sentence, ValidationFailed
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql

from comanda_kds import models
from comanda_kds.records import StationRoute
from comanda_kds.services import kitchen_settings
from comanda_kds.services.stations import query_stations

PER_PAGE: Final = 100

RouteSubject = Literal["item", "category"]

# Locked like the foreign key will be, so that a concurrent deletion comes before or after.
LOCK_SUBJECT: Final = {
    "item": "SELECT id FROM core_menu_item_v1 WHERE id = $1 AND owner_id = $2 AND store_id = $3 FOR KEY SHARE",
    "category": "SELECT id FROM core_menu_category_v1 WHERE id = $1 AND owner_id = $2 AND store_id = $3 FOR KEY SHARE",
}
UPSERT_ROUTE: Final = {
    subject: f"""
        INSERT INTO kds_route (owner_id, store_id, {subject}_id, station_id) VALUES ($2, $3, $1, $4)
        ON CONFLICT ({subject}_id, owner_id) WHERE {subject}_id IS NOT NULL DO UPDATE SET station_id = $4
    """
    for subject in LOCK_SUBJECT
}


async def list_routes(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[StationRoute]:
    """List a kitchen's routes, oldest first. Raises ``NotFound``."""
    await kitchen_settings.check_kitchen(caller, store_id)
    routes = models.StationRoute.filter(owner_id=caller.owner_id, store_id=store_id)
    rows = await routes.order_by("id").offset(page.offset(PER_PAGE)).limit(page.size(PER_PAGE))
    records = [StationRoute(row.item_id, row.category_id, row.station_id) for row in rows]
    return page.of(records, await page.get_total(records, routes.count, PER_PAGE), PER_PAGE)


async def set_route(
    caller: Caller, store_id: int, subject: RouteSubject, subject_id: int, station_id: int | None
) -> StationRoute:
    """Route an item or a category to a station, or with None out of the kitchen.

    Raises ``NotFound`` for a subject that is not on the store's menu, ``ValidationFailed`` for another store's station.
    """
    await kitchen_settings.check_kitchen(caller, store_id)
    async with kitchen_settings.lock_configuration(caller.owner_id, store_id):
        if await sql.fetch_value(LOCK_SUBJECT[subject], subject_id, caller.owner_id, store_id) is None:
            raise NotFound
        stations = query_stations(caller.owner_id, store_id)
        if station_id is not None and not await stations.filter(id=station_id).exists():
            raise ValidationFailed(station_id=[Sentence("The store has no such station.")])
        await sql.execute(UPSERT_ROUTE[subject], subject_id, caller.owner_id, store_id, station_id)
    item_id, category_id = (subject_id, None) if subject == "item" else (None, subject_id)
    return StationRoute(item_id, category_id, station_id)


async def delete_route(caller: Caller, store_id: int, subject: RouteSubject, subject_id: int) -> None:
    """Delete a route: an item falls back to its category's route, a category to the default. Raises ``NotFound``."""
    await kitchen_settings.check_kitchen(caller, store_id)
    async with kitchen_settings.lock_configuration(caller.owner_id, store_id):
        routes = models.StationRoute.filter(owner_id=caller.owner_id, store_id=store_id)
        if not await routes.filter(**{f"{subject}_id": subject_id}).delete():
            raise NotFound
