"""Rows of apps, locked or not, and their records."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from comanda.basics import extend_record, require_found
from comanda.platform.db import sql
from comanda.stores import slugify

from comanda_marketplace import models
from comanda_marketplace.models import AppStatus, Billing, Category, Screenshot
from comanda_marketplace.records import App, Picture
from comanda_marketplace.services.listings.screenshot_urls import to_picture

# Apps belong to their developers, and are used by other owners.
SELECT_APP_OF_ANYONE: Final = "SELECT owner_id FROM marketplace_app WHERE id = $1"
SELECT_APP_OF_CLIENT: Final = "SELECT id, owner_id FROM marketplace_app WHERE client_row_id = $1"
SELECT_APPS_OF_CLIENTS: Final = "SELECT id FROM marketplace_app WHERE client_row_id = ANY($1::bigint[])"
SELECT_DEVELOPERS: Final = "SELECT id, owner_id FROM marketplace_app WHERE id = ANY($1::bigint[])"


async def get_own_row(owner_id: int, app_id: int, *, is_locked: bool = False) -> models.App:
    """Return a developer's app, locked until the open transaction ends if wanted. Raises ``NotFound``."""
    found = models.App.filter(id=app_id, owner_id=owner_id)
    return require_found(await (found.select_for_update(no_key=True) if is_locked else found).first())


async def find_row(app_id: int) -> models.App | None:
    """Return the app of any developer, or None."""
    developer_id = await sql.fetch_value(SELECT_APP_OF_ANYONE, app_id)
    return None if developer_id is None else await models.App.get_or_none(id=app_id, owner_id=developer_id)


async def find_row_of_client(client_row_id: int) -> models.App | None:
    """Return the app of an OAuth client, or None for a client that is no app of the marketplace."""
    row = await sql.fetch_one(SELECT_APP_OF_CLIENT, client_row_id)
    return None if row is None else await models.App.get_or_none(id=row["id"], owner_id=row["owner_id"])


async def list_rows(app_ids: Sequence[int]) -> Mapping[int, models.App]:
    """Return apps of any developers by id."""
    developers = {row["owner_id"] for row in await sql.fetch(SELECT_DEVELOPERS, list(app_ids))}
    rows = await models.App.filter(id__in=list(app_ids), owner_id__in=list(developers)) if developers else []
    return {row.id: row for row in rows}


async def list_rows_of_clients(client_row_ids: Sequence[int]) -> Mapping[int, models.App]:
    """Return the apps of OAuth clients, by the id of the client's row."""
    found = await sql.fetch(SELECT_APPS_OF_CLIENTS, list(client_row_ids))
    rows = await list_rows([row["id"] for row in found])
    return {row.client_row_id: row for row in rows.values()}


async def load_apps(rows: Sequence[models.App]) -> list[App]:
    """Return records with their screenshots, in the order given."""
    pictures = await _load_pictures(rows)
    return [to_app(row, pictures.get(row.id, ())) for row in rows]


async def load_app(row: models.App) -> App:
    """Return a record with its screenshots."""
    return (await load_apps([row]))[0]


def to_app(row: models.App, pictures: Iterable[Picture] = ()) -> App:
    """Return a row as a record."""
    return extend_record(
        App,
        row,
        developer_id=row.owner_id,
        slug=f"{slugify(row.name)}-{row.id}",
        category=Category(row.category),
        status=AppStatus(row.status),
        billing=Billing(row.billing),
        screenshots=tuple(pictures),
    )


async def _load_pictures(rows: Sequence[models.App]) -> Mapping[int, list[Picture]]:
    found: dict[int, list[Picture]] = {}
    owners = {row.owner_id for row in rows}
    if owners:
        shots = await Screenshot.filter(owner_id__in=list(owners), app_id__in=[row.id for row in rows]).order_by("id")
        for shot in shots:
            found.setdefault(shot.app_id, []).append(to_picture(shot))
    return found
