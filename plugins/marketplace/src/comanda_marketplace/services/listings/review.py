"""The review of apps: who may move a listing from which state to which, and what follows from it."""

from collections.abc import Sequence
from typing import Any, Final

import structlog
from comanda.basics import Conflict, NotFound, clock
from comanda.contracts import Caller
from comanda.platform.db import sql
from comanda_entitlements import api as entitlements
from comanda_notifications import api as notifications
from comanda_oauth import api as oauth

from comanda_marketplace import models
from comanda_marketplace.message_templates import APP_DECISION
from comanda_marketplace.models import AppStatus
from comanda_marketplace.records import App
from comanda_marketplace.services.apps import app_rows, owner_contacts
from comanda_marketplace.services.apps.owner_contacts import get_contact
from comanda_marketplace.services.billing.price_terms import describe_terms

log = structlog.get_logger(__name__)

WAITING: Final = (AppStatus.SUBMITTED, AppStatus.IN_REVIEW)
# The commands of the operator see the apps of all developers.
SELECT_APPS: Final = """
    SELECT id FROM marketplace_app WHERE $1::text IS NULL OR status = $1 ORDER BY submitted_at NULLS LAST, id LIMIT $2
"""
DECISIONS = {
    AppStatus.APPROVED: "It is listed now, and every owner can install it.",
    AppStatus.REJECTED: "It was not accepted: {reason}",
    AppStatus.DELISTED: "It was taken off the list. Nobody new can install it; installed ones keep working.",
}


@sql.transaction()
async def submit(caller: Caller, app_id: int) -> App:
    """Submit a draft, a rejected or a delisted app for review. Raises ``NotFound`` or ``Conflict``."""
    row = await app_rows.get_own_row(caller.owner_id, app_id, is_locked=True)
    allowed = (AppStatus.DRAFT, AppStatus.REJECTED, AppStatus.DELISTED)
    return await _move(row, AppStatus.SUBMITTED, allowed, rejection_reason=None, submitted_at=clock.now())


@sql.transaction()
async def withdraw(caller: Caller, app_id: int) -> App:
    """Take an app back from review, or a listed one from the marketplace; it is a draft again, and installs stay.

    A draft stays as it is. Raises ``NotFound`` or ``Conflict``.
    """
    row = await app_rows.get_own_row(caller.owner_id, app_id, is_locked=True)
    if row.status == AppStatus.DRAFT:
        return await app_rows.load_app(row)
    return await _move(row, AppStatus.DRAFT, (*WAITING, AppStatus.APPROVED), submitted_at=None)


async def return_to_review(row: models.App) -> None:
    """Send a listed app, locked by the caller, back to review. Others stay where they are."""
    if row.status == AppStatus.APPROVED:
        await _move(row, AppStatus.IN_REVIEW, (AppStatus.APPROVED,), submitted_at=clock.now())


@sql.transaction()
async def start_review(app_id: int) -> App:
    """Take a submitted app into review, as an administrator. Raises ``NotFound`` or ``Conflict``."""
    return await _move(await _lock(app_id), AppStatus.IN_REVIEW, (AppStatus.SUBMITTED,))


@sql.transaction()
async def approve(app_id: int, features: Sequence[str] = ()) -> App:
    """List an app, as an administrator, and let it grant ``features`` to those who install it.

    Raises ``NotFound``, ``Conflict``, and ``ValidationFailed`` for an unknown feature.
    """
    entitlements.check_features(dict.fromkeys(features))
    row = await _lock(app_id)
    return await _decide(row, AppStatus.APPROVED, WAITING, features=sorted(set(features)))


@sql.transaction()
async def reject(app_id: int, reason: str) -> App:
    """Reject an app, as an administrator, with a reason for its developer. Raises ``NotFound`` or ``Conflict``."""
    return await _decide(await _lock(app_id), AppStatus.REJECTED, WAITING, rejection_reason=reason)


@sql.transaction()
async def delist(app_id: int) -> App:
    """End new installations of an app, as an administrator. Installed ones stay. Raises ``NotFound``, ``Conflict``."""
    return await _decide(await _lock(app_id), AppStatus.DELISTED, (AppStatus.APPROVED, *WAITING))


async def list_apps(status: AppStatus | None, limit: int) -> list[App]:
    """Return the apps of all developers, those that wait the longest first."""
    ids = [row["id"] for row in await sql.fetch(SELECT_APPS, status, limit)]
    rows = await app_rows.list_rows(ids)
    return await app_rows.load_apps([rows[id] for id in ids])


async def get_app(app_id: int) -> App:
    """Return any developer's app. Raises ``NotFound``."""
    row = await app_rows.find_row(app_id)
    if row is None:
        raise NotFound(f"There is no app {app_id}.")
    return await app_rows.load_app(row)


async def sync_client(row: models.App) -> None:
    """Allow everyone to install a listed app, and only its developer another one.

    The consent page shows the developer and what the app costs.
    """
    audience = oauth.Audience.EVERYONE if row.status == AppStatus.APPROVED else oauth.Audience.DEVELOPER
    developer = await owner_contacts.get_contact(row.owner_id)
    changes = oauth.ClientChanges(audience=audience, publisher=developer.name, terms=describe_terms(row))
    await oauth.update_client(row.owner_id, row.client_row_id, changes)


async def _lock(app_id: int) -> models.App:
    found = await app_rows.find_row(app_id)
    if found is None:
        raise NotFound(f"There is no app {app_id}.")
    return await app_rows.get_own_row(found.owner_id, app_id, is_locked=True)


async def _decide(row: models.App, status: AppStatus, allowed: Sequence[AppStatus], **columns: Any) -> App:
    app = await _move(row, status, allowed, reviewed_at=clock.now(), **columns)
    log.info("app_reviewed", app_id=app.id, developer_id=app.developer_id, status=status.value)
    await send_decision(app)
    return app


async def _move(row: models.App, status: AppStatus, allowed: Sequence[AppStatus], **columns: Any) -> App:
    if row.status not in allowed:
        raise Conflict(
            f"An app that is {row.status.replace('_', ' ')} cannot become {status.replace('_', ' ')}.",
            extras={"reason": "wrong_status"},
        )
    row.update_from_dict({"status": status.value, "updated_at": clock.now(), **columns})
    await row.save(update_fields=["status", "updated_at", *columns])
    await sync_client(row)
    return await app_rows.load_app(row)


async def send_decision(app: App) -> None:
    """Send a decision to the developer by e-mail, in the open transaction."""
    contact = await get_contact(app.developer_id)
    text = DECISIONS[app.status].format(reason=app.rejection_reason)
    await notifications.send_template(
        APP_DECISION.name,
        to=app.contact_email or contact.email,
        channel="email",
        values={"app": app.name, "decision": text},
        owner_id=app.developer_id,
    )
