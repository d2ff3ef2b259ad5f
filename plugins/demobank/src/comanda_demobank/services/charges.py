"""The bank's books: charges are opened, answered once, and refunded."""

import re
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from comanda.basics import NotFound, clock
from comanda.contracts import ChargeRequest, DisputeState, PaymentAccount, PaymentDeclined, RefundRequest
from comanda.platform import runtime
from comanda.platform.db import sql

from comanda_demobank.models import ChargeState

REFERENCE_BYTES: Final = 16
# The owner, and what nobody guesses.
REFERENCE: Final = re.compile(r"[0-9]{1,18}-[0-9a-f]{32}", re.ASCII)
COLUMNS: Final = (
    "owner_id, account_id, reference, state, amount_minor, fee_minor, currency, description, return_url, expires_at, "
    "reader, dispute, disputed_at, payout_id"
)
INSERT_CHARGE: Final = f"""
    INSERT INTO demobank_charge
        (owner_id, key, reference, state, amount_minor, fee_minor, currency, description, return_url, expires_at,
        reader, account_id)
    VALUES ($1, $2, $3, '{ChargeState.OPEN}', $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING
"""
SELECT_CHARGE_BY_KEY: Final = f"SELECT {COLUMNS} FROM demobank_charge WHERE owner_id = $1 AND key = $2"
SELECT_CHARGE_ON_READER: Final = f"""
    SELECT {COLUMNS} FROM demobank_charge WHERE owner_id = $1 AND reader = $2 AND state = '{ChargeState.OPEN}'
"""
SELECT_CHARGE: Final = f"SELECT {COLUMNS} FROM demobank_charge WHERE owner_id = $1 AND reference = $2"
ANSWER_CHARGE: Final = f"""
    UPDATE demobank_charge SET state = $3
    WHERE owner_id = $1 AND reference = $2 AND state = '{ChargeState.OPEN}'
      AND ($3 = '{ChargeState.CLOSED}' OR expires_at > $4)
"""
PAY_ALL: Final = f"""
    UPDATE demobank_charge SET state = '{ChargeState.PAID}'
    WHERE owner_id = $1 AND state = '{ChargeState.OPEN}' AND reader IS NULL
"""
# A reader gives up by itself.
CLOSE_EXPIRED_ON_READER: Final = f"""
    UPDATE demobank_charge SET state = '{ChargeState.CLOSED}'
    WHERE owner_id = $1 AND reader = $2 AND state = '{ChargeState.OPEN}' AND expires_at <= $3
"""
# A dispute is opened once, and decided once.
OPEN_DISPUTE: Final = f"""
    UPDATE demobank_charge SET dispute = '{DisputeState.NEEDS_RESPONSE}', disputed_at = $3
    WHERE owner_id = $1 AND reference = $2 AND state = '{ChargeState.PAID}' AND dispute IS NULL
"""
DECIDE_DISPUTE: Final = f"""
    UPDATE demobank_charge SET dispute = $3
    WHERE owner_id = $1 AND reference = $2 AND dispute = '{DisputeState.NEEDS_RESPONSE}'
"""
SELECT_DISPUTED: Final = f"""
    SELECT {COLUMNS} FROM demobank_charge WHERE owner_id = $1 AND disputed_at >= $2 ORDER BY id
"""
SELECT_REFUND: Final = "SELECT id FROM demobank_refund WHERE owner_id = $1 AND key = $2"
# A statement of its own, so that the next one sees the refunds of the process that held the lock.
LOCK_CHARGE: Final = "SELECT id FROM demobank_charge WHERE owner_id = $1 AND reference = $2 FOR NO KEY UPDATE"
INSERT_REFUND: Final = f"""
    INSERT INTO demobank_refund (owner_id, charge_id, key, amount_minor)
    SELECT c.owner_id, c.id, $2, $4::bigint FROM demobank_charge c
    WHERE c.owner_id = $1 AND c.reference = $3 AND c.state = '{ChargeState.PAID}'
      AND $4::bigint <= c.amount_minor - (
        SELECT coalesce(sum(r.amount_minor), 0) FROM demobank_refund r WHERE r.owner_id = $1 AND r.charge_id = c.id)
    ON CONFLICT (owner_id, key) DO NOTHING
"""


@dataclass(frozen=True, slots=True)
class DemoCharge:
    """A charge as the bank's page shows it."""

    owner_id: int
    account_id: int
    reference: str
    state: ChargeState
    amount_minor: int
    fee_minor: int
    currency: str
    description: str
    return_url: str
    expires_at: datetime
    reader: str | None
    dispute: DisputeState | None
    disputed_at: datetime | None
    payout_id: int | None

    @property
    def is_open(self) -> bool:
        """Whether a person can still answer it."""
        return self.state is ChargeState.OPEN and self.expires_at > clock.now()


async def open_charge(account: PaymentAccount, request: ChargeRequest) -> DemoCharge:
    """Open a charge, or return the one of this key. Raises ``PaymentDeclined`` if its reader has another one."""
    owner_id = account.owner_id
    if request.reader is not None:
        await sql.execute(CLOSE_EXPIRED_ON_READER, owner_id, request.reader, clock.now())
    await sql.execute(
        INSERT_CHARGE, owner_id, request.key, create_reference(owner_id), request.amount_minor, request.fee_minor,
        request.currency, request.description, request.return_url, request.expires_at, request.reader,
        account.id,
    )  # fmt: skip
    if (charge := await find_charge(owner_id, request.key)) is None:
        raise PaymentDeclined("The card reader is taking another payment.")
    return charge


async def find_charge(owner_id: int, key: str) -> DemoCharge | None:
    """Return the charge of a key, if there is one."""
    row = await sql.fetch_one(SELECT_CHARGE_BY_KEY, owner_id, key)
    return None if row is None else _to_charge(row)


async def find_charge_on_reader(owner_id: int, reader: str) -> DemoCharge | None:
    """Return the charge that a reader asks a card for, if there is one that is still open."""
    row = await sql.fetch_one(SELECT_CHARGE_ON_READER, owner_id, reader)
    charge = None if row is None else _to_charge(row)
    return charge if charge is not None and charge.is_open else None


async def get_charge(reference: str) -> DemoCharge:
    """Return a charge. Raises ``NotFound``, and always outside development."""
    row = await sql.require_one(SELECT_CHARGE, parse_owner(reference), reference)
    return _to_charge(row)


async def answer_charge(reference: str, state: ChargeState) -> DemoCharge:
    """Pay, decline or close a charge that is open; what was answered stays. Raises ``NotFound``."""
    charge = await get_charge(reference)
    await sql.execute(ANSWER_CHARGE, charge.owner_id, reference, state.value, clock.now())
    return await get_charge(reference)


async def pay_all_charges(owner_id: int) -> None:
    """Pay every open charge of an owner on the guests' behalf."""
    await sql.execute(PAY_ALL, owner_id)


async def open_dispute(reference: str) -> None:
    """Open the dispute of a paid charge, if it has none. Raises ``NotFound``."""
    await sql.execute(OPEN_DISPUTE, parse_owner(reference), reference, clock.now())


async def decide_dispute(reference: str, state: DisputeState) -> None:
    """Decide an open dispute for the store or for the guest. Raises ``NotFound``."""
    await sql.execute(DECIDE_DISPUTE, parse_owner(reference), reference, state.value)


async def list_disputed_charges(owner_id: int, since: datetime) -> list[DemoCharge]:
    """Return the charges of an owner that were disputed since then."""
    return [_to_charge(row) for row in await sql.fetch(SELECT_DISPUTED, owner_id, since)]


async def refund_charge(owner_id: int, refund: RefundRequest) -> str:
    """Refund a paid charge once per key, and return the key. Raises ``PaymentDeclined`` for more than is left of it."""
    async with sql.transaction():
        await sql.fetch_one(LOCK_CHARGE, owner_id, refund.payment)
        await sql.execute(INSERT_REFUND, owner_id, refund.key, refund.payment, refund.amount_minor)
        if await sql.fetch_value(SELECT_REFUND, owner_id, refund.key) is None:
            raise PaymentDeclined("The demo bank has not collected that much.")
    return refund.key


async def has_refund(owner_id: int, key: str) -> bool:
    """Return whether a refund was made."""
    return await sql.fetch_value(SELECT_REFUND, owner_id, key) is not None


def create_reference(owner_id: int) -> str:
    """Return a reference of an owner that nobody guesses."""
    return f"{owner_id}-{secrets.token_hex(REFERENCE_BYTES)}"


def parse_owner(reference: str) -> int:
    """Return the owner of a reference. Raises ``NotFound`` for anything else, and always outside development."""
    if not REFERENCE.fullmatch(reference) or not runtime.settings().development:
        raise NotFound
    return int(reference.partition("-")[0])


def _to_charge(row: sql.Row) -> DemoCharge:
    dispute = None if row["dispute"] is None else DisputeState(row["dispute"])
    return DemoCharge(**{**dict(row), "state": ChargeState(row["state"]), "dispute": dispute})
