"""Rewards in orders: points are taken in the transaction of the order, and given back if it is cancelled."""

from typing import Final

from comanda.basics import Sentence, ValidationFailed
from comanda.contracts import PlacedOrder
from comanda.platform.db import sql

from comanda_loyalty.models import LoyaltyEntryKind
from comanda_loyalty.services import ledger
from comanda_loyalty.services.ledger import Account, NewEntry

FIELD: Final = "loyalty_reward"
REASON: Final = "points"
SUM_REDEEMED: Final = """
    SELECT account_id, -sum(points)::bigint AS points FROM loyalty_entry
    WHERE order_id = $1 AND owner_id = $2 AND kind IN ('redeem', 'restore') GROUP BY account_id
"""
SELECT_REDEEMED: Final = """
    SELECT account_id, max(-points) AS points FROM loyalty_entry
    WHERE order_id = $1 AND owner_id = $2 AND kind = 'redeem' GROUP BY account_id
"""


async def lock_points(owner_id: int, store_id: int, customer_id: int, points: int) -> Account:
    """Lock a customer's account until the order is stored. Raises ``ValidationFailed`` if it has fewer points."""
    found = await ledger.find_account(owner_id, store_id, customer_id)
    if found is None:
        raise create_points_error(points, 0)
    account = await ledger.lock_account(owner_id, found.id)
    if account.balance < points:
        raise create_points_error(points, account.balance)
    return account


async def take_points(account: Account, order_id: int, points: int, actor: str) -> None:
    """Take the points of a reward off a locked account. Emits ``LoyaltyChanged``."""
    await _write(account, LoyaltyEntryKind.REDEEM, -points, order_id, actor)


async def give_back(order: PlacedOrder) -> None:
    """Give back what a cancelled order has taken, if anything. Emits ``LoyaltyChanged``."""
    row = await sql.fetch_one(SUM_REDEEMED, order.id, order.owner_id)
    if row is not None and row["points"] > 0:
        account = await ledger.lock_account(order.owner_id, row["account_id"])
        await _write(account, LoyaltyEntryKind.RESTORE, row["points"], order.id, "loyalty")


async def take_again(order: PlacedOrder) -> None:
    """Take the points of an order that is reopened again. Emits ``LoyaltyChanged``.

    Raises ``ValidationFailed`` if the customer has spent them meanwhile.
    """
    row = await sql.fetch_one(SELECT_REDEEMED, order.id, order.owner_id)
    if row is None:
        return
    account = await ledger.lock_account(order.owner_id, row["account_id"])
    if account.balance < row["points"]:
        message = "The order cannot be reopened: its customer no longer has the points for its reward."
        raise ValidationFailed({"status": [message]}, extras={"reason": REASON})
    await _write(account, LoyaltyEntryKind.REDEEM, -row["points"], order.id, "loyalty")


def create_points_error(needed: int, balance: int) -> ValidationFailed:
    """Create the error for a reward that costs more points than the customer has."""
    text = Sentence("This reward costs %(needed)s points; you have %(balance)s.", needed=needed, balance=balance)
    return ValidationFailed({FIELD: [text]}, extras={"reason": REASON, "balance": balance})


async def _write(account: Account, kind: LoyaltyEntryKind, points: int, order_id: int, actor: str) -> None:
    reference = await ledger.get_order_reference(account, order_id)
    await ledger.write_entry(account, NewEntry(kind, points, actor, reference=reference, order_id=order_id))
