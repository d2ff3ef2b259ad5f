"""Apps, as their developers manage them: register, change, rotate secrets, delete."""

from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any, Final

from comanda.basics import Conflict, clock, extend_record
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql
from comanda_oauth import api as oauth
from comanda_wallet import api as wallet

from comanda_marketplace import models, settings
from comanda_marketplace.records import App, IssuedApp, RotatedAppSecret
from comanda_marketplace.schemas import AppBody, AppChange
from comanda_marketplace.services.apps import app_rows, totals
from comanda_marketplace.services.apps.app_fields import REVIEWED_FIELDS, validate_fields
from comanda_marketplace.services.installations import app_webhooks, webhook_secrets
from comanda_marketplace.services.listings import review, screenshots

# For these fields null removes the value; for the others it means no change.
CLEARABLE: Final = frozenset({"embed_url", "webhook_url", "contact_email"})
CLIENT_FIELDS: Final = ("name", "redirect_uris", "scopes")
WEBHOOK_FIELDS: Final = frozenset({"webhook_url", "webhook_events"})
OLD_CLIENT_SECRET_LIFETIME: Final = timedelta(hours=24)
LOCK_DEVELOPER: Final = "SELECT pg_advisory_xact_lock(hashtextextended('marketplace_developer', $1))"


async def list_apps(caller: Caller, page: PageRequest) -> RecordPage[App]:
    """Return a page of a developer's apps, newest first."""
    owned = models.App.filter(owner_id=caller.owner_id)
    rows = await owned.order_by("-id").offset(page.offset()).limit(page.size())
    return page.of(await app_rows.load_apps(rows), await page.get_total(rows, owned.count))


async def get_app(caller: Caller, app_id: int) -> App:
    """Return a developer's app. Raises ``NotFound`` for another's."""
    return await app_rows.load_app(await app_rows.get_own_row(caller.owner_id, app_id))


@sql.transaction()
async def register_app(caller: Caller, body: AppBody) -> IssuedApp:
    """Register an app with its OAuth client. The secrets are returned only this once.

    Raises ``ValidationFailed``; ``Conflict`` beyond the limit of apps.
    """
    currency = wallet.get_currency()
    columns = dict(await validate_fields(body.model_dump() | {"price": body.price or Decimal(0)}, currency))
    await sql.execute(LOCK_DEVELOPER, caller.owner_id)
    await _check_limit(caller.owner_id)
    moment = clock.now()
    new = oauth.NewClient(
        name=body.name, redirect_uris=tuple(body.redirect_uris), scopes=tuple(body.scopes), publisher=""
    )
    issued = await oauth.create_client(caller.owner_id, new)
    columns |= {"scopes": list(issued.client.scopes), "redirect_uris": list(issued.client.redirect_uris)}
    row = await models.App.create(
        owner_id=caller.owner_id,
        client_row_id=issued.client.id,
        client_id=issued.client.client_id,
        currency=currency,
        features=[],
        created_at=moment,
        updated_at=moment,
        **columns,
    )
    webhook_secret = webhook_secrets.set_new_secret(row)
    await row.save(update_fields=["webhook_secret"])
    await review.sync_client(row)
    app = await app_rows.load_app(row)
    return extend_record(IssuedApp, app, client_secret=issued.secret or "", webhook_secret=webhook_secret)


@sql.transaction()
async def update_app(caller: Caller, app_id: int, change: AppChange) -> App:
    """Change an app. A new price or new scopes send a listed one back to review; installations keep theirs.

    Raises ``NotFound`` or ``ValidationFailed``.
    """
    row = await app_rows.get_own_row(caller.owner_id, app_id, is_locked=True)
    given = change.model_dump(exclude_unset=True)
    columns = {name: value for name, value in given.items() if value is not None or name in CLEARABLE}
    columns = dict(await validate_fields({"billing": row.billing, "price": row.price, **columns}, row.currency))
    if "price" in given or "billing" in given:
        columns["currency"] = wallet.get_currency()
    columns |= await _update_client(row, columns)
    changed = {name: value for name, value in columns.items() if value != getattr(row, name)}
    row.update_from_dict({**changed, "updated_at": clock.now()})
    await row.save(update_fields=[*changed, "updated_at"])
    if REVIEWED_FIELDS & changed.keys():
        await review.return_to_review(row)
        await review.sync_client(row)
    # The address may be sent again to resume endpoints that were disabled.
    if WEBHOOK_FIELDS & given.keys():
        await app_webhooks.update_endpoints(row)
    return await app_rows.load_app(row)


async def rotate_secret(caller: Caller, app_id: int) -> RotatedAppSecret:
    """Replace the client secret; the old one stays valid for 24 hours. Raises ``NotFound``."""
    row = await app_rows.get_own_row(caller.owner_id, app_id)
    secret = await oauth.rotate_secret(caller.owner_id, row.client_row_id)
    return RotatedAppSecret(row.id, secret, clock.now() + OLD_CLIENT_SECRET_LIFETIME)


@sql.transaction()
async def rotate_webhook_secret(caller: Caller, app_id: int) -> RotatedAppSecret:
    """Replace the signing secret of webhooks; for 24 hours the old one signs them too. Raises ``NotFound``."""
    row = await app_rows.get_own_row(caller.owner_id, app_id, is_locked=True)
    moment = clock.now()
    secret = webhook_secrets.rotate_secret(row, moment)
    row.updated_at = moment
    await row.save(update_fields=["webhook_secret", "old_webhook_secret", "old_secret_expires_at", "updated_at"])
    await app_webhooks.update_endpoints(row)
    return RotatedAppSecret(row.id, secret, moment + webhook_secrets.OLD_SECRET_LIFETIME)


@sql.transaction()
async def delete_app(caller: Caller, app_id: int) -> None:
    """Delete an app that was never installed. Raises ``NotFound``; ``Conflict`` for another."""
    row = await app_rows.get_own_row(caller.owner_id, app_id, is_locked=True)
    if await totals.was_installed(row):
        raise Conflict(
            "This app has been installed, so its records must stay. Withdraw it instead.",
            extras={"reason": "was_installed"},
        )
    await oauth.delete_client(caller.owner_id, row.client_row_id)
    await screenshots.delete_files(row)
    await row.delete()


async def _check_limit(owner_id: int) -> None:
    limit = settings.get_settings().max_apps
    if await models.App.filter(owner_id=owner_id).count() >= limit:
        raise Conflict(f"You have {limit} apps, which is the limit.", extras={"limits": {"apps": limit}})


async def _update_client(row: models.App, columns: Mapping[str, Any]) -> Mapping[str, Any]:
    """Change the OAuth client along with the app and return its normalized columns."""
    given = [name for name in CLIENT_FIELDS if name in columns]
    if not given:
        return {}
    redirect_uris, scopes = columns.get("redirect_uris"), columns.get("scopes")
    changes = oauth.ClientChanges(
        name=columns.get("name"),
        redirect_uris=None if redirect_uris is None else tuple(redirect_uris),
        scopes=None if scopes is None else tuple(scopes),
    )
    client = await oauth.update_client(row.owner_id, row.client_row_id, changes)
    return {name: client.name if name == "name" else list(getattr(client, name)) for name in given}
