"""Installed apps, as their owners see and manage them."""

from collections.abc import Sequence
from dataclasses import replace

from comanda.basics import Conflict, Money, ValidationFailed, clock, extend_record, require_found, to_minor
from comanda.contracts import Caller, PageRequest, RecordPage
from comanda.platform.db import sql
from comanda_oauth import api as oauth

from comanda_marketplace import models
from comanda_marketplace.models import App, BillingStatus, Charge, Installation
from comanda_marketplace.records import InstalledApp, PeriodCharge, Usage
from comanda_marketplace.schemas import InstallationChange
from comanda_marketplace.services.apps import app_rows
from comanda_marketplace.services.billing import subscriptions, terms
from comanda_marketplace.services.billing.usage import get_month, to_usage


async def list_installations(caller: Caller, page: PageRequest) -> RecordPage[InstalledApp]:
    """Return a page of an owner's active installations, newest first."""
    found = await oauth.list_installations(caller.owner_id, page)
    return page.of(await _to_installed(caller.owner_id, found.data), found.total)


async def get_installation(caller: Caller, installation_id: int) -> InstalledApp:
    """Return an installation, active or ended. Raises ``NotFound`` for another owner's."""
    found = await _get_own(caller, installation_id)
    return (await _to_installed(caller.owner_id, [found]))[0]


@sql.transaction()
async def uninstall(caller: Caller, installation_id: int) -> None:
    """End an installation with its tokens, its webhooks and what the app granted. Raises ``NotFound``."""
    await terms.ensure_terms(await _get_own(caller, installation_id))
    row = await terms.find_terms(caller.owner_id, installation_id, is_locked=True)
    ended = await oauth.uninstall(caller.owner_id, installation_id, caller.actor)
    if row is not None:
        await terms.end_terms(row, ended)


@sql.transaction()
async def update_cap(caller: Caller, installation_id: int, change: InstallationChange) -> InstalledApp:
    """Set or remove the monthly cap of an app. Raises ``NotFound``; ``Conflict`` for an ended installation."""
    row = await _lock_active(caller, installation_id)
    try:
        cap = None if change.monthly_cap is None else to_minor(change.monthly_cap, row.currency)
    except ValueError as error:
        raise ValidationFailed(monthly_cap=[str(error)]) from error
    row.monthly_cap_minor = cap
    await row.save(update_fields=["monthly_cap_minor"])
    return await get_installation(caller, installation_id)


@sql.transaction()
async def accept_terms(caller: Caller, installation_id: int) -> InstalledApp:
    """Agree to what the app charges now. Raises ``NotFound``; ``Conflict`` if it is ended or the app not listed."""
    row = await _lock_active(caller, installation_id)
    app = await terms.get_app_row(row)
    if not app_rows.to_app(app).is_listed and app.owner_id != caller.owner_id:
        raise Conflict("The app's new terms have not been approved yet.", extras={"reason": "not_listed"})
    await terms.accept_terms(row, app)
    return await get_installation(caller, installation_id)


async def pay(caller: Caller, installation_id: int) -> InstalledApp:
    """Pay what is due now instead of at the next retry; what the app grants is restored.

    If nothing is due, nothing changes. Raises ``NotFound``, ``Conflict`` for an ended one, ``PaymentRequired``.
    """
    async with sql.transaction():
        row = await _lock_active(caller, installation_id)
        if row.billing_status in {BillingStatus.PAST_DUE, BillingStatus.LAPSED}:
            await subscriptions.pay(row)
    return await get_installation(caller, installation_id)


async def list_usage(caller: Caller, installation_id: int, page: PageRequest) -> RecordPage[Usage]:
    """Return a page of the usage that was charged, newest first. Raises ``NotFound``."""
    await _get_own(caller, installation_id)
    found = models.Usage.filter(installation_id=installation_id, owner_id=caller.owner_id)
    rows = await found.order_by("-id").offset(page.offset()).limit(page.size())
    return page.of([to_usage(row) for row in rows], await page.get_total(rows, found.count))


async def list_charges(caller: Caller, installation_id: int, page: PageRequest) -> RecordPage[PeriodCharge]:
    """Return a page of the periods that were paid, newest first. Raises ``NotFound``."""
    await _get_own(caller, installation_id)
    found = Charge.filter(installation_id=installation_id, owner_id=caller.owner_id)
    rows = await found.order_by("-id").offset(page.offset()).limit(page.size())
    return page.of([_to_charge(row) for row in rows], await page.get_total(rows, found.count))


async def _get_own(caller: Caller, installation_id: int) -> oauth.Installation:
    return require_found(await oauth.find_installation(caller.owner_id, installation_id))


async def _lock_active(caller: Caller, installation_id: int) -> Installation:
    installation = await _get_own(caller, installation_id)
    if not installation.is_active:
        raise Conflict("This app is no longer installed.", extras={"reason": "uninstalled"})
    if await terms.ensure_terms(installation) is None:
        raise Conflict("This is no app of the marketplace, and charges nothing.", extras={"reason": "not_an_app"})
    return require_found(await terms.find_terms(caller.owner_id, installation_id, is_locked=True))


async def _to_installed(owner_id: int, found: Sequence[oauth.Installation]) -> list[InstalledApp]:
    ids = [one.id for one in found]
    rows = {row.id: row for row in await Installation.filter(owner_id=owner_id, id__in=ids)}
    apps = await app_rows.list_rows_of_clients([one.client_row_id for one in found])
    strangers = [one.client_row_id for one in found if one.client_row_id not in apps]
    names = {id: client.name for id, client in (await oauth.list_clients(0, strangers)).items()} if strangers else {}
    return [
        _to_installed_app(one, rows.get(one.id), apps.get(one.client_row_id), names.get(one.client_row_id, ""))
        for one in found
    ]


def _to_installed_app(one: oauth.Installation, row: Installation | None, app: App | None, name: str) -> InstalledApp:
    base = extend_record(
        InstalledApp,
        one,
        app_id=None if app is None else app.id,
        name=name or one.client_id if app is None else app.name,
        terms=None,
        new_terms=None,
        billing_status=BillingStatus.NONE,
        monthly_cap=None,
        usage_this_month=None,
        current_period_start=None,
        current_period_end=None,
        next_charge_at=None,
    )
    return base if row is None or app is None else _with_terms(base, row, app)


def _with_terms(base: InstalledApp, row: Installation, app: App) -> InstalledApp:
    agreed, offered = terms.get_terms(row), terms.get_terms(app)
    is_this_month = row.usage_month == get_month(clock.now())
    cap = row.monthly_cap_minor
    return replace(
        base,
        terms=agreed,
        new_terms=None if offered == agreed else offered,
        billing_status=BillingStatus(row.billing_status),
        monthly_cap=None if cap is None else Money(cap, row.currency),
        usage_this_month=Money(row.usage_minor if is_this_month else 0, row.currency),
        current_period_start=row.period_start,
        current_period_end=row.period_end,
        next_charge_at=row.next_charge_at,
    )


def _to_charge(row: Charge) -> PeriodCharge:
    amount = Money(row.amount_minor, row.currency)
    return PeriodCharge(row.id, row.period_start, row.period_end, amount, row.created_at)
