"""Recurring charges: one for each period, retried for a week if the wallet does not cover it."""

from datetime import timedelta
from typing import Final

import structlog
from comanda.basics import Money, PaymentRequired, clock, to_minor
from comanda.platform.db import sql
from comanda_notifications import api as notifications
from comanda_wallet import api as wallet

from comanda_marketplace import models
from comanda_marketplace.message_templates import PAYMENT_FAILED
from comanda_marketplace.models import App, BillingStatus, Installation
from comanda_marketplace.services.apps.owner_contacts import get_contact
from comanda_marketplace.services.billing import terms
from comanda_marketplace.services.billing.price_terms import get_share

log = structlog.get_logger(__name__)

# After the failed charge of a period: three more attempts within seven days.
RETRY_DELAYS: Final = (timedelta(days=1), timedelta(days=2), timedelta(days=4))
BATCH_SIZE: Final = 100
SELECT_DUE: Final = """
    SELECT id, owner_id FROM marketplace_installation
    WHERE next_charge_at <= $1 AND NOT id = ANY($2::bigint[]) ORDER BY next_charge_at, id LIMIT $3
"""
LOCK_DUE: Final = """
    SELECT id FROM marketplace_installation
    WHERE id = $1 AND owner_id = $2 AND next_charge_at <= $3 FOR NO KEY UPDATE SKIP LOCKED
"""


async def charge_due() -> int:
    """Charge what is due and return how many charges were attempted. Any number of processes may run this at once."""
    attempted, passed_over = 0, list[int]()
    while rows := await sql.fetch(SELECT_DUE, clock.now(), passed_over, BATCH_SIZE):
        for row in rows:
            try:
                if await _charge_one(row["owner_id"], row["id"]):
                    attempted += 1
                    continue
            except Exception:
                log.exception("recurring_charge_failed", installation_id=row["id"], owner_id=row["owner_id"])
            # Another process has it, or it cannot be charged: the next run tries again.
            passed_over.append(row["id"])
    return attempted


async def charge_now(owner_id: int, installation_id: int) -> None:
    """Charge an installation if a charge is due, such as the first one when it was installed."""
    await _charge_one(owner_id, installation_id)


async def pay(row: Installation) -> None:
    """Charge the period that is due. The row is locked. Raises ``PaymentRequired``, with nothing changed."""
    await _charge_period(row, await terms.get_app_row(row))


async def _charge_one(owner_id: int, installation_id: int) -> bool:
    """Attempt a charge that is due, and return whether it still was."""
    async with sql.transaction():
        if await sql.fetch_one(LOCK_DUE, installation_id, owner_id, clock.now()) is None:
            return False
        row = await Installation.get(id=installation_id, owner_id=owner_id)
        app = await terms.get_app_row(row)
        try:
            # A savepoint: what a refused charge has written goes, and the attempt is recorded.
            async with sql.transaction():
                await _charge_period(row, app)
        except PaymentRequired:
            await _record_failure(await Installation.get(id=installation_id, owner_id=owner_id), app)
    return True


async def _charge_period(row: Installation, app: App) -> None:
    """Charge the next period. A unique key of the period and the wallet's reference let it be charged once only."""
    moment = clock.now()
    was_lapsed, was_unpaid = row.billing_status == BillingStatus.LAPSED, row.billing_status in terms.UNPAID
    # After a lapse a new period begins; the app was not paid for in between.
    start = moment if was_lapsed else row.period_end or row.installed_at
    end = start + timedelta(days=row.period_days)
    amount = to_minor(row.price, row.currency)
    await models.Charge.create(
        owner_id=row.owner_id,
        installation_id=row.id,
        app_id=row.app_id,
        period_start=start,
        period_end=end,
        amount_minor=amount,
        currency=row.currency,
        created_at=moment,
    )
    charge = wallet.Charge(
        kind=wallet.EntryKind.SUBSCRIPTION,
        amount_minor=amount,
        reference=f"app:{row.id}:period:{start.isoformat()}",
        description=f"{app.name}: {start:%Y-%m-%d} to {end:%Y-%m-%d}",
        payee_owner_id=app.owner_id,
        payee_share_minor=get_share(amount),
    )
    await wallet.charge(row.owner_id, charge, "system")
    columns = {
        "billing_status": BillingStatus.ACTIVE,
        "period_start": start,
        "period_end": end,
        "next_charge_at": end,
        "failed_attempts": 0,
    }
    row.update_from_dict(columns)
    await row.save(update_fields=list(columns))
    if was_unpaid:
        await terms.grant_features(row, app)


async def _record_failure(row: Installation, app: App) -> None:
    attempts = row.failed_attempts + 1
    has_retry = attempts <= len(RETRY_DELAYS)
    columns = {
        "failed_attempts": attempts,
        "billing_status": BillingStatus.PAST_DUE if has_retry else BillingStatus.LAPSED,
        "next_charge_at": clock.now() + RETRY_DELAYS[attempts - 1] if has_retry else None,
    }
    row.update_from_dict(columns)
    await row.save(update_fields=list(columns))
    log.info("recurring_charge_refused", installation_id=row.id, owner_id=row.owner_id, attempt=attempts)
    if not has_retry:
        await terms.revoke_features(row)
    elif attempts == 1:
        await _send_failure(row, app)


async def _send_failure(row: Installation, app: App) -> None:
    contact = await get_contact(row.owner_id)
    until = clock.now() + sum(RETRY_DELAYS, timedelta())
    amount = Money(to_minor(row.price, row.currency), row.currency)
    await notifications.send_template(
        PAYMENT_FAILED.name,
        to=contact.email,
        channel="email",
        values={
            "amount": amount.to_decimal_string(),
            "currency": row.currency,
            "app": app.name,
            "until": until.date().isoformat(),
        },
        owner_id=row.owner_id,
    )
