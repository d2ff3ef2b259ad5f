"""The terms of installations: agreed to when an app is installed, kept when the app changes its price."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from comanda.basics import clock, require_found
from comanda.platform.db import sql
from comanda_entitlements import api as entitlements
from comanda_oauth import api as oauth

from comanda_marketplace.models import App, Billing, BillingStatus, Installation
from comanda_marketplace.records import Terms
from comanda_marketplace.services.apps import app_rows
from comanda_marketplace.services.installations import app_webhooks

UNINSTALLED: Final = "app.uninstalled"
# Time to come back, before the app is asked to erase what it has.
ERASURE_DELAY: Final = timedelta(hours=48)
UNPAID: Final = frozenset({BillingStatus.PAST_DUE, BillingStatus.LAPSED})
LOCK_INSTALLATION: Final = "SELECT pg_advisory_xact_lock(hashtextextended('marketplace_installation', $1))"


async def find_terms(owner_id: int, installation_id: int, *, is_locked: bool = False) -> Installation | None:
    """Return the terms of an installation, locked until the open transaction ends if wanted."""
    found = Installation.filter(id=installation_id, owner_id=owner_id)
    return await (found.select_for_update(no_key=True) if is_locked else found).first()


@sql.transaction()
async def ensure_terms(installation: oauth.Installation) -> Installation | None:
    """Return the terms of an installation, and agree to the app's present ones if there are none yet.

    The app then gets its webhooks, and the owner what it grants. Returns None for a client that is no app.
    """
    found = await find_terms(installation.owner_id, installation.id)
    if found is not None:
        return found
    app = await app_rows.find_row_of_client(installation.client_row_id)
    if app is None:
        return None
    # The handler of the installation and the app's first call may come at once.
    await sql.execute(LOCK_INSTALLATION, installation.id)
    found = await find_terms(installation.owner_id, installation.id)
    return found if found is not None else await _create(app, installation)


async def accept_terms(row: Installation, app: App) -> None:
    """Agree to an app's present terms, from the next charge on. The row is locked."""
    columns = dict(_to_terms(app))
    if columns["billing"] != Billing.RECURRING:
        columns |= {"billing_status": BillingStatus.NONE, "next_charge_at": None}
    elif row.billing != Billing.RECURRING:
        columns |= _begin_billing(app, clock.now())
    row.update_from_dict(columns)
    await row.save(update_fields=list(columns))
    # Terms can be accepted at any time, and what is not paid for is restored by its payment alone.
    if row.billing_status not in UNPAID:
        await grant_features(row, app)


async def end_terms(row: Installation, installation: oauth.Installation) -> None:
    """End the terms of an installation that ended: no more charges, features or events. The row is locked.

    The app's own endpoint gets ``app.uninstalled`` as the last event. A repeated call changes nothing.
    """
    if row.uninstalled_at is not None:
        return
    ended_at = installation.uninstalled_at or clock.now()
    has_billing = row.billing_status != BillingStatus.NONE
    row.update_from_dict(
        {
            "uninstalled_at": ended_at,
            "next_charge_at": None,
            "billing_status": BillingStatus.ENDED if has_billing else BillingStatus.NONE,
            "erasure_due_at": ended_at + ERASURE_DELAY,
        }
    )
    await row.save(update_fields=["uninstalled_at", "next_charge_at", "billing_status", "erasure_due_at"])
    await revoke_features(row)
    await app_webhooks.send_last_event(row, UNINSTALLED, _to_event_data(row, installation))


async def grant_features(row: Installation, app: App) -> None:
    """Entitle the owner to what an app grants: a feature of its own, and those that an administrator allows it."""
    features = {f"{entitlements.APP_FEATURE_PREFIX}{app.id}": None, **dict.fromkeys(app.features)}
    await entitlements.set_source(row.owner_id, entitlements.SourceType.APP, str(row.id), features)


async def revoke_features(row: Installation) -> None:
    """Revoke what an app grants."""
    await entitlements.remove_source(row.owner_id, entitlements.SourceType.APP, str(row.id))


def get_terms(row: Installation | App) -> Terms:
    """Return the terms of an installation, or those that an app offers now."""
    return Terms(Billing(row.billing), row.price, row.currency, row.period_days)


async def get_app_row(row: Installation) -> App:
    """Return the app of an installation. Raises ``NotFound``."""
    return require_found(await app_rows.find_row(row.app_id))


async def _create(app: App, installation: oauth.Installation) -> Installation:
    owner_id = installation.owner_id
    earlier = await Installation.filter(owner_id=owner_id, app_id=app.id).order_by("-id").first()
    columns = dict(_to_terms(app))
    if app.billing == Billing.RECURRING:
        columns |= await _begin_again(app, installation)
    row = await Installation.create(
        id=installation.id,
        owner_id=owner_id,
        app_id=app.id,
        developer_id=app.owner_id,
        client_row_id=app.client_row_id,
        # The owner's cap is on the app, and outlasts its removal.
        monthly_cap_minor=None if earlier is None else earlier.monthly_cap_minor,
        installed_at=installation.installed_at,
        **columns,
    )
    if row.billing_status not in UNPAID:
        await grant_features(row, app)
    await app_webhooks.create_endpoint(app, installation)
    return row


def _to_terms(app: App) -> Mapping[str, Any]:
    names = ("billing", "price", "currency", "period_days", "trial_days")
    return {name: getattr(app, name) for name in names}


async def _begin_again(app: App, installation: oauth.Installation) -> Mapping[str, Any]:
    """Return how charges begin, for an owner who may have had the app before: one trial, and no debt left behind."""
    earlier = Installation.filter(owner_id=installation.owner_id, app_id=app.id, billing=Billing.RECURRING.value)
    first, last = await earlier.order_by("id").first(), await earlier.order_by("-id").first()
    columns = _begin_billing(app, installation.installed_at, None if first is None else first.installed_at)
    if last is None or not last.failed_attempts:
        return columns
    return {
        **columns,
        "billing_status": BillingStatus.PAST_DUE,
        "next_charge_at": installation.installed_at,
        "failed_attempts": 1,
    }


def _begin_billing(app: App, moment: datetime, trial_start: datetime | None = None) -> Mapping[str, Any]:
    trial_end = (trial_start or moment) + timedelta(days=app.trial_days)
    if trial_end <= moment:
        return {"billing_status": BillingStatus.ACTIVE, "next_charge_at": moment}
    return {
        "billing_status": BillingStatus.TRIALING,
        "period_start": moment,
        "period_end": trial_end,
        "next_charge_at": trial_end,
    }


def _to_event_data(row: Installation, installation: oauth.Installation) -> Mapping[str, Any]:
    return {
        "installation_id": row.id,
        "app_id": row.app_id,
        "client_id": installation.client_id,
        "owner_id": row.owner_id,
        "scopes": list(installation.scopes),
        "installed_at": row.installed_at,
        "uninstalled_at": row.uninstalled_at,
    }
