"""Payouts of accounts: reported by webhooks, checked with accounts, each state and each part recorded once."""

from datetime import timedelta
from typing import Final

import structlog
from comanda.basics import NotFound, clock, money
from comanda.contracts import PaymentAccount, PayoutPart, PayoutReport, PayoutState
from comanda.platform.db import sql
from comanda.platform.events import publish

from comanda_payments.events import PayoutChanged
from comanda_payments.services.providers import provider_calls

log = structlog.get_logger(__name__)

# A bank returns a payout within this time; earlier ones are no matter of the check.
LIFETIME: Final = timedelta(days=90)
MAX_PAYOUTS_PER_CHECK: Final = 500
# Each costs the provider several calls. The next check goes on with those that are left.
MAX_PART_LISTS_PER_CHECK: Final = 10
MAX_PARTS: Final = 5000
MAX_FAILURE_LENGTH: Final = 500
MAX_DESCRIPTION_LENGTH: Final = 255
MAX_REFERENCE_LENGTH: Final = 255

ORDERED_STATES: Final = f"ARRAY{[state.value for state in PayoutState]}"
# Returns a row if the payout is new, or its state goes on.
UPSERT_PAYOUT: Final = f"""
    INSERT INTO payments_payout
        (owner_id, account_id, provider, reference, state, amount_minor, currency, arrives_on, failure, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (owner_id, provider, reference) DO UPDATE
        SET state = excluded.state, arrives_on = excluded.arrives_on, failure = excluded.failure
        WHERE array_position({ORDERED_STATES}, payments_payout.state::text)
            < array_position({ORDERED_STATES}, excluded.state::text)
    RETURNING id
"""
SELECT_KNOWN_STATES: Final = """
    SELECT reference, state FROM payments_payout WHERE owner_id = $1 AND provider = $2 AND reference = ANY($3::text[])
"""
SELECT_WITHOUT_PARTS: Final = """
    SELECT id, reference FROM payments_payout
    WHERE owner_id = $1 AND provider = $2 AND reference = ANY($3::text[]) AND parts_at IS NULL
    ORDER BY id DESC LIMIT $4
"""
# Whoever comes second waits for the row, and finds that the parts are there.
CLAIM_PARTS: Final = """
    UPDATE payments_payout SET parts_at = $3 WHERE id = $1 AND owner_id = $2 AND parts_at IS NULL RETURNING id
"""
INSERT_PARTS: Final = """
    INSERT INTO payments_payout_part
        (owner_id, payout_id, reference, kind, amount_minor, fee_minor, charge_reference, description)
    SELECT $1, $2, part.* FROM unnest(
        $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::text[]) AS part
    ON CONFLICT (payout_id, owner_id, reference) DO NOTHING
"""


async def check_payouts(account: PaymentAccount) -> None:
    """Record the payouts that the provider has of an account, and their parts; on any failure the next check does."""
    calls = provider_calls.open_calls(account)
    if calls is None:
        return
    try:
        reports = (await calls.list_payouts(clock.now() - LIFETIME))[-MAX_PAYOUTS_PER_CHECK:]
    except Exception as error:  # the task tries again
        log.warning("payouts_not_checked", account_id=account.id, error=repr(error))
        return
    references = [report.reference for report in reports]
    known = {
        row["reference"]: row["state"]
        for row in await sql.fetch(SELECT_KNOWN_STATES, account.owner_id, account.provider, references)
    }
    for report in reports:
        if known.get(report.reference) != report.state:
            await record_payout(account, report)
    await _record_missing_parts(account, references)


async def record_reported_payout(account: PaymentAccount, report: PayoutReport) -> None:
    """Record a state of a payout that a webhook reports, and its parts if they are known by now."""
    await record_payout(account, report)
    await _record_missing_parts(account, [report.reference])


async def record_payout(account: PaymentAccount, report: PayoutReport) -> None:
    """Record a state of a payout once; it never goes back to one before. Emits ``PayoutChanged``."""
    failure = report.failure[:MAX_FAILURE_LENGTH] if report.failure else None
    async with sql.transaction():
        payout_id = await sql.fetch_value(
            UPSERT_PAYOUT, account.owner_id, account.id, account.provider, report.reference, report.state.value,
            report.amount_minor, report.currency, report.arrives_on, failure, clock.now(),
        )  # fmt: skip
        if payout_id is not None:
            event = _create_event(account, payout_id, report, failure)
            await publish(event, owner_id=account.owner_id, store_id=account.store_id)


async def _record_missing_parts(account: PaymentAccount, references: list[str]) -> None:
    """Ask the provider for the parts of payouts, and record them once; on any failure the next check does."""
    calls = provider_calls.open_calls(account)
    if calls is None:
        return
    missing = (account.owner_id, account.provider, references, MAX_PART_LISTS_PER_CHECK)
    for row in await sql.fetch(SELECT_WITHOUT_PARTS, *missing):
        try:
            parts = await calls.list_payout_parts(row["reference"], MAX_PARTS)
        except Exception as error:  # the task tries again
            log.warning("payout_parts_not_listed", payout_id=row["id"], error=repr(error))
            continue
        if parts is not None:
            await _store_parts(account.owner_id, row["id"], parts[:MAX_PARTS])


async def _store_parts(owner_id: int, payout_id: int, parts: list[PayoutPart]) -> None:
    async with sql.transaction():
        if await sql.fetch_value(CLAIM_PARTS, payout_id, owner_id, clock.now()) is not None:
            await sql.execute(INSERT_PARTS, owner_id, payout_id, *_to_columns(parts))


def _to_columns(parts: list[PayoutPart]) -> tuple[list[object], ...]:
    columns: tuple[list[object], ...] = ([], [], [], [], [], [])
    for part in parts:
        charge = part.payment if part.payment and len(part.payment) <= MAX_REFERENCE_LENGTH else None
        text = part.description[:MAX_DESCRIPTION_LENGTH] if part.description else None
        row = (part.reference, part.kind.value, part.amount_minor, part.fee_minor, charge, text)
        for column, value in zip(columns, row, strict=True):
            column.append(value)
    return columns


def _create_event(account: PaymentAccount, payout_id: int, report: PayoutReport, failure: str | None) -> PayoutChanged:
    if account.id is None:
        raise NotFound  # the operator's account has no payouts here
    return PayoutChanged(
        payout_id=payout_id,
        account_id=account.id,
        restaurant_id=account.store_id,
        reference=report.reference,
        state=report.state.value,
        amount=money.to_decimal_string(report.amount_minor, report.currency),
        currency=report.currency,
        arrives_on=report.arrives_on,
        failure=failure,
    )
