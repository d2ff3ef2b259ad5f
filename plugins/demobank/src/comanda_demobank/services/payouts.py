"""The payouts that somebody has the demo bank make, of all that is due to an account."""

from datetime import datetime, timedelta
from typing import Final

from comanda.basics import clock
from comanda.contracts import DisputeState, PaymentAccount, PayoutPart, PayoutPartKind, PayoutReport, PayoutState
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.web import N_

from comanda_demobank.models import ChargeState
from comanda_demobank.services import charges

TIME_TO_ARRIVE: Final = timedelta(days=1)

INSERT_PAYOUT: Final = f"""
    INSERT INTO demobank_payout (owner_id, account_id, reference, state, amount_minor, currency, created_at)
    VALUES ($1, $2, $3, '{PayoutState.IN_TRANSIT}', 0, $4, $5) RETURNING id
"""
# Whoever pays out at the same time waits for the rows, and finds that they are in a payout.
TAKE_CHARGES: Final = f"""
    UPDATE demobank_charge SET payout_id = $4
    WHERE owner_id = $1 AND account_id = $2 AND currency = $3 AND state = '{ChargeState.PAID}' AND payout_id IS NULL
"""
TAKE_DISPUTES: Final = f"""
    UPDATE demobank_charge SET dispute_payout_id = $4
    WHERE owner_id = $1 AND account_id = $2 AND currency = $3 AND dispute = '{DisputeState.LOST}'
      AND dispute_payout_id IS NULL
"""
TAKE_REFUNDS: Final = """
    UPDATE demobank_refund r SET payout_id = $4 FROM demobank_charge c
    WHERE c.id = r.charge_id AND c.owner_id = r.owner_id AND r.owner_id = $1 AND c.account_id = $2 AND c.currency = $3
      AND r.payout_id IS NULL
"""
UPDATE_AMOUNT: Final = "UPDATE demobank_payout SET amount_minor = $3 WHERE id = $1 AND owner_id = $2"
SELECT_STATE: Final = "SELECT state FROM demobank_payout WHERE id = $1 AND owner_id = $2"
UPDATE_STATE: Final = f"""
    UPDATE demobank_payout SET state = $3
    WHERE id = $1 AND owner_id = $2 AND state <> '{PayoutState.FAILED}' AND state <> $3
"""
SELECT_PAYOUTS: Final = """
    SELECT reference, state, amount_minor, currency, created_at FROM demobank_payout
    WHERE owner_id = $1 AND account_id = $2 AND created_at >= $3 ORDER BY id
"""
SELECT_PAYOUT_ID: Final = "SELECT id FROM demobank_payout WHERE owner_id = $1 AND account_id = $2 AND reference = $3"
# A lost dispute takes what was not refunded of its charge.
SELECT_PARTS: Final = f"""
    SELECT 'charge-' || c.id AS reference, '{PayoutPartKind.PAYMENT}' AS kind, c.amount_minor, c.fee_minor,
        c.reference AS payment
    FROM demobank_charge c WHERE c.owner_id = $1 AND c.payout_id = $2
    UNION ALL
    SELECT 'refund-' || r.id, '{PayoutPartKind.REFUND}', -r.amount_minor, 0, c.reference
    FROM demobank_refund r JOIN demobank_charge c ON c.id = r.charge_id AND c.owner_id = r.owner_id
    WHERE r.owner_id = $1 AND r.payout_id = $2
    UNION ALL
    SELECT 'dispute-' || c.id, '{PayoutPartKind.DISPUTE}', coalesce(sum(r.amount_minor), 0)::bigint - c.amount_minor, 0,
        c.reference
    FROM demobank_charge c LEFT JOIN demobank_refund r ON r.charge_id = c.id AND r.owner_id = c.owner_id
    WHERE c.owner_id = $1 AND c.dispute_payout_id = $2 GROUP BY c.id, c.owner_id
    LIMIT $3
"""
MAX_PARTS: Final = 5000
RETURNED: Final = N_("The bank returned the payout.")


class NothingDue(Exception):
    """There is nothing to pay out."""


class DemoPayouts:
    """Lists the payouts of an account, and what each is made of."""

    async def list_payouts(self, account: PaymentAccount, since: datetime) -> list[PayoutReport]:
        """Return the payouts of an account, none in production."""
        if not runtime.settings().development:
            return []
        return [_to_report(row) for row in await sql.fetch(SELECT_PAYOUTS, account.owner_id, account.id, since)]

    async def list_parts(self, account: PaymentAccount, reference: str, limit: int) -> list[PayoutPart]:
        """Return the charges, refunds and lost disputes in a payout."""
        payout_id = await sql.fetch_value(SELECT_PAYOUT_ID, account.owner_id, account.id, reference)
        return [] if payout_id is None else await _list_parts(account.owner_id, payout_id, limit)


async def pay_out(reference: str) -> None:
    """Pay out all that is due to the account of a charge, in its currency. Raises ``NotFound``."""
    charge = await charges.get_charge(reference)
    due = (charge.owner_id, charge.account_id, charge.currency)
    try:
        async with sql.transaction():
            name = charges.create_reference(charge.owner_id)
            payout_id = await sql.fetch_value(INSERT_PAYOUT, *due[:2], name, charge.currency, clock.now())
            for statement in (TAKE_CHARGES, TAKE_REFUNDS, TAKE_DISPUTES):
                await sql.execute(statement, *due, payout_id)
            parts = await _list_parts(charge.owner_id, payout_id, MAX_PARTS)
            amount = sum(part.amount_minor - part.fee_minor for part in parts)
            if amount <= 0:
                raise NothingDue
            await sql.execute(UPDATE_AMOUNT, payout_id, charge.owner_id, amount)
    except NothingDue:
        return


async def get_state(owner_id: int, payout_id: int) -> PayoutState:
    return PayoutState(await sql.fetch_value(SELECT_STATE, payout_id, owner_id))


async def finish(reference: str, state: PayoutState) -> None:
    """Send the payout of a charge, or return it from the store's bank. Raises ``NotFound``."""
    charge = await charges.get_charge(reference)
    if charge.payout_id is not None:
        await sql.execute(UPDATE_STATE, charge.payout_id, charge.owner_id, state.value)


async def _list_parts(owner_id: int, payout_id: int, limit: int) -> list[PayoutPart]:
    rows = await sql.fetch(SELECT_PARTS, owner_id, payout_id, limit)
    return [PayoutPart(**{**dict(row), "kind": PayoutPartKind(row["kind"])}) for row in rows]


def _to_report(row: sql.Row) -> PayoutReport:
    state = PayoutState(row["state"])
    return PayoutReport(
        reference=row["reference"],
        state=state,
        amount_minor=row["amount_minor"],
        currency=row["currency"],
        arrives_on=(row["created_at"] + TIME_TO_ARRIVE).date(),
        failure=RETURNED if state is PayoutState.FAILED else None,
    )
