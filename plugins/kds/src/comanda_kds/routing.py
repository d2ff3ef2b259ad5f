"""What is made where: routes of items and of categories."""

from typing import Any, Final, Literal

from comanda.contracts.callers import Caller
from comanda.contracts.paging import PageRequest
from comanda.db import sql
from comanda.errors import NotFound, ValidationFailed

from comanda_kds import rules
from comanda_kds.models import StationRoute
from comanda_kds.stations import of_store

PER_PAGE: Final = 100

Subject = Literal["item", "category"]

# Locked, as the reference will be: whoever deletes it at this moment comes before or after.
FIND: Final = {
    "item": "SELECT id FROM core_menu_item WHERE id = $1 AND owner_id = $2 AND store_id = $3 FOR KEY SHARE",
    "category": "SELECT id FROM core_menu_category WHERE id = $1 AND owner_id = $2 AND store_id = $3 FOR KEY SHARE",
}
SET: Final = {
    subject: f"""
        INSERT INTO kds_route (owner_id, store_id, {subject}_id, station_id) VALUES ($2, $3, $1, $4)
        ON CONFLICT ({subject}_id, owner_id) WHERE {subject}_id IS NOT NULL DO UPDATE SET station_id = $4
    """
    for subject in FIND
}


async def page_of_routes(caller: Caller, store_id: int, page: PageRequest) -> dict[str, Any]:
    """List a kitchen's routes, the oldest first. Raises ``NotFound``."""
    await rules.must_have_kitchen(caller, store_id)
    mine = StationRoute.filter(owner_id=caller.owner_id, store_id=store_id)
    rows = await mine.order_by("id").offset(page.offset(PER_PAGE)).limit(page.size(PER_PAGE))
    found = [_record(row.item_id, row.category_id, row.station_id) for row in rows]
    return page.envelope(found, await mine.count(), PER_PAGE)


async def set_route(
    caller: Caller, store_id: int, subject: Subject, subject_id: int, station_id: int | None
) -> dict[str, Any]:
    """Route an item or a category to a station, or with None out of the kitchen.

    Raises ``NotFound`` for what is not on the store's menu, ``ValidationFailed`` for a station that the store has not.
    """
    await rules.must_have_kitchen(caller, store_id)
    async with rules.configuring(caller.owner_id, store_id):
        if await sql.fetch_value(FIND[subject], subject_id, caller.owner_id, store_id) is None:
            raise NotFound
        mine = of_store(caller.owner_id, store_id)
        if station_id is not None and not await mine.filter(id=station_id).exists():
            raise ValidationFailed(station_id=["The store has no such station."])
        await sql.execute(SET[subject], subject_id, caller.owner_id, store_id, station_id)
    item_id, category_id = (subject_id, None) if subject == "item" else (None, subject_id)
    return _record(item_id, category_id, station_id)


async def delete_route(caller: Caller, store_id: int, subject: Subject, subject_id: int) -> None:
    """Take a route away: the item goes where its category does, the category to the default. Raises ``NotFound``."""
    await rules.must_have_kitchen(caller, store_id)
    async with rules.configuring(caller.owner_id, store_id):
        mine = StationRoute.filter(owner_id=caller.owner_id, store_id=store_id)
        if not await mine.filter(**{f"{subject}_id": subject_id}).delete():
            raise NotFound


def _record(item_id: int | None, category_id: int | None, station_id: int | None) -> dict[str, Any]:
    return {"item_id": item_id, "category_id": category_id, "station_id": station_id}
