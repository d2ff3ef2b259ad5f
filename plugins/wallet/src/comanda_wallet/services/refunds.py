"""Refunds of charges, taken in proportion from those who earned them."""

from typing import Final

from comanda.basics import Sentence, ValidationFailed, round_half_up, to_decimal_string
from comanda.platform.db import sql

from comanda_wallet.models import CHARGE_KINDS, Account, EntryKind
from comanda_wallet.records import Entry, Refund, Wallet
from comanda_wallet.services.entries import find_entry
from comanda_wallet.services.ledger import Leg, NewEntry, join_transaction, write_entry
from comanda_wallet.services.wallets import lock_wallet

# What was charged, the developer's share of it, and what earlier refunds have reversed of both.
SELECT_CHARGE: Final = """
    SELECT e.id, -e.amount_minor AS amount_minor, l.account_owner_id AS payee_owner_id,
        coalesce(l.amount_minor, 0) AS share_minor,
        coalesce((SELECT sum(r.amount_minor) FROM wallet_entry r
                  WHERE r.owner_id = $1 AND r.charge_id = e.id), 0)::bigint AS refunded_minor
    FROM wallet_entry e
    LEFT JOIN wallet_leg l ON l.owner_id = $1 AND l.entry_id = e.id AND l.account = 'earnings'
    WHERE e.owner_id = $1 AND e.kind = $2 AND e.reference = $3
"""


async def refund(owner_id: int, refund: Refund, actor: str = "system") -> Entry:
    """Refund a charge in part or in full, from the developer's share and the platform's in proportion.

    Raises ``NotFound`` without such a charge; ``ValidationFailed`` on ``amount`` unless it is more than 0 and at most
    what is left; ``ValueError`` for a kind that is no charge.
    """
    if refund.kind not in CHARGE_KINDS:
        raise ValueError(f"{refund.kind} is not a kind of charges.")
    async with join_transaction():
        # Every entry of the owner waits for this lock, so what is left of the charge cannot change below.
        wallet = await lock_wallet(owner_id)
        known = await find_entry(owner_id, EntryKind.REFUND, refund.reference)
        return known or await _write_refund(wallet, refund, actor)


async def _write_refund(wallet: Wallet, refund: Refund, actor: str) -> Entry:
    charge = await sql.require_one(SELECT_CHARGE, wallet.owner_id, refund.kind, refund.charge_reference)
    left = charge["amount_minor"] - charge["refunded_minor"]
    amount = left if refund.amount_minor is None else refund.amount_minor
    if not 0 < amount <= left:
        rest = to_decimal_string(left, wallet.currency)
        raise ValidationFailed(
            amount=[Sentence("Must be more than 0 and at most %(rest)s, what is left of the charge.", rest=rest)]
        )
    share = _get_reversed_share(charge, amount)
    legs = (Leg(Account.EARNINGS, -share, charge["payee_owner_id"]), Leg(Account.REVENUE, share - amount))
    return await write_entry(
        wallet,
        NewEntry(
            EntryKind.REFUND, amount, refund.reference, refund.description, actor, legs, charge["id"],
        ),
    )  # fmt: skip


def _get_reversed_share(charge: sql.Row, amount: int) -> int:
    """Return what the developer gives back: rounded on the sum of refunds, so that a full one leaves nothing."""
    total, share, before = charge["amount_minor"], charge["share_minor"], charge["refunded_minor"]
    return round_half_up(share * (before + amount), total) - round_half_up(share * before, total)
