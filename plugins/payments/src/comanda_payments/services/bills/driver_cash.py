"""The cash that drivers hold: a balance for each driver and store, with an entry for each change.

Drivers belong to another plugin, so only a driver's id and last known name are stored.
"""

from typing import Final

from comanda.basics import Money, clock, extend_record
from comanda.contracts import Caller, CashHeld, CollectedCash, PageRequest, RecordPage
from comanda.orders import Bill
from comanda.platform.db import sql
from comanda.stores import require_store

from comanda_payments.models import DriverCashEntryKind
from comanda_payments.records.balances import DriverCash, DriverCashEntry, DriverCashWithEntries

MAX_ENTRIES: Final = 100

UPSERT_COLLECTED_CASH = f"""
    WITH held AS (
        INSERT INTO payments_driver_cash AS c
            (owner_id, store_id, driver_id, driver_name, currency, balance_minor, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $10)
        ON CONFLICT (store_id, owner_id, driver_id, currency)
            DO UPDATE SET balance_minor = c.balance_minor + $6, driver_name = EXCLUDED.driver_name
        RETURNING id, balance_minor)
    INSERT INTO payments_driver_cash_entry
        (owner_id, cash_id, kind, amount_minor, balance_minor, order_id, payment_id, actor, created_at)
    SELECT $1, id, '{DriverCashEntryKind.COLLECTED}', $6, balance_minor, $7, $8, $9, $10 FROM held
"""
# Changes nothing if the balance would be negative.
DEDUCT_CASH = """
    WITH held AS (
        UPDATE payments_driver_cash SET balance_minor = balance_minor - $3
        WHERE id = $1 AND owner_id = $2 AND balance_minor >= $3 RETURNING id, balance_minor)
    INSERT INTO payments_driver_cash_entry
        (owner_id, cash_id, kind, amount_minor, balance_minor, order_id, payment_id, refund_id, actor, created_at)
    SELECT $2, id, $4, -$3::bigint, balance_minor, $5, $6, $7, $8, $9 FROM held
    RETURNING balance_minor
"""
LOCK_DRIVER_CASH = """
    SELECT id, driver_id, driver_name, currency, balance_minor FROM payments_driver_cash
    WHERE store_id = $1 AND owner_id = $2 AND driver_id = $3 AND currency = $4 FOR NO KEY UPDATE
"""
# The cash that a payment was added to.
LOCK_CASH_OF_PAYMENT = f"""
    SELECT c.id FROM payments_driver_cash c
    JOIN payments_driver_cash_entry e ON e.cash_id = c.id AND e.owner_id = c.owner_id
    WHERE e.payment_id = $1 AND e.owner_id = $2 AND e.kind = '{DriverCashEntryKind.COLLECTED}'
    FOR NO KEY UPDATE OF c
"""
SELECT_IS_HANDED_IN = f"""
    SELECT EXISTS (
        SELECT FROM payments_driver_cash_entry h
        JOIN payments_driver_cash_entry e ON e.cash_id = h.cash_id AND e.owner_id = h.owner_id
        WHERE h.owner_id = $2 AND h.kind = '{DriverCashEntryKind.HANDED_IN}' AND h.id > e.id
            AND e.payment_id = $1 AND e.kind = '{DriverCashEntryKind.COLLECTED}')
"""
# The first entry after the balance was last 0.
HELD_SINCE = """(
    SELECT min(e.created_at) FROM payments_driver_cash_entry e
    WHERE e.cash_id = c.id AND e.owner_id = c.owner_id AND c.balance_minor > 0 AND e.id > coalesce((
        SELECT max(z.id) FROM payments_driver_cash_entry z
        WHERE z.cash_id = c.id AND z.owner_id = c.owner_id AND z.balance_minor = 0), 0)) AS since"""
COLUMNS = f"c.id, c.owner_id, c.store_id, c.driver_id, c.driver_name, c.currency, c.balance_minor, {HELD_SINCE}"
FROM_STORE_CASH = "FROM payments_driver_cash c WHERE c.store_id = $1 AND c.owner_id = $2 AND c.balance_minor > 0"
SELECT_STORE_CASH = f"SELECT {COLUMNS} {FROM_STORE_CASH} ORDER BY c.id DESC LIMIT $3 OFFSET $4"
COUNT_STORE_CASH = f"SELECT count(*) {FROM_STORE_CASH}"
SELECT_DRIVER_CASH = f"""
    SELECT {COLUMNS} FROM payments_driver_cash c WHERE c.store_id = $1 AND c.owner_id = $2 AND c.driver_id = $3
    ORDER BY c.balance_minor > 0 DESC, c.id DESC LIMIT 1
"""
SELECT_CASH_OF_DRIVER = f"""
    SELECT {COLUMNS} FROM payments_driver_cash c
    WHERE c.owner_id = $1 AND c.driver_id = $2 AND c.balance_minor > 0 ORDER BY c.store_id, c.currency
"""
SELECT_ENTRIES = """
    SELECT id, kind, amount_minor, balance_minor, order_id, payment_id, refund_id, actor, created_at
    FROM payments_driver_cash_entry WHERE cash_id = $1 AND owner_id = $2 ORDER BY id DESC LIMIT $3
"""


async def add_collected_cash(bill: Bill, payment_id: int, taken: CollectedCash, amount_minor: int) -> None:
    """Add the cash collected for an order to the driver's balance, in the open transaction."""
    balance = (bill.owner_id, bill.store_id, taken.driver_id, taken.driver_name, bill.currency)
    await sql.execute(UPSERT_COLLECTED_CASH, *balance, amount_minor, bill.id, payment_id, taken.actor, clock.now())


async def deduct_refund(bill: Bill, payment_id: int, refund_id: int, amount_minor: int, actor: str) -> bool:
    """Deduct a refund from the driver who collected the payment; return False if it has been handed in since."""
    cash_id = await sql.fetch_value(LOCK_CASH_OF_PAYMENT, payment_id, bill.owner_id)
    if cash_id is None or await sql.fetch_value(SELECT_IS_HANDED_IN, payment_id, bill.owner_id):
        return False
    entry = (bill.id, payment_id, refund_id, actor, clock.now())
    left = await sql.fetch_value(
        DEDUCT_CASH, cash_id, bill.owner_id, amount_minor, DriverCashEntryKind.REFUNDED.value, *entry
    )
    return left is not None


async def lock_driver_cash(owner_id: int, store_id: int, driver_id: int, currency: str) -> sql.Row | None:
    """Lock and return the cash of a store that a driver holds; None if they have never collected any."""
    return await sql.fetch_one(LOCK_DRIVER_CASH, store_id, owner_id, driver_id, currency)


async def hand_in_driver_cash(owner_id: int, cash_id: int, amount_minor: int, actor: str) -> int:
    """Deduct what is handed in from locked cash, and return what the driver still holds."""
    entry = (DriverCashEntryKind.HANDED_IN.value, None, None, None, actor, clock.now())
    left: int = await sql.fetch_value(DEDUCT_CASH, cash_id, owner_id, amount_minor, *entry)
    return left


async def list_driver_cash(caller: Caller, store_id: int, page: PageRequest) -> RecordPage[DriverCash]:
    """List the drivers who hold cash of a store. Raises ``NotFound``."""
    await require_store(caller, store_id)
    rows = await sql.fetch(SELECT_STORE_CASH, store_id, caller.owner_id, page.size(), page.offset())
    total = await sql.fetch_value(COUNT_STORE_CASH, store_id, caller.owner_id)
    return page.of([_to_driver_cash(row) for row in rows], total)


async def get_driver_cash(caller: Caller, store_id: int, driver_id: int) -> DriverCashWithEntries:
    """Return the cash of a store that a driver holds. Raises ``NotFound`` if they have never collected any."""
    await require_store(caller, store_id)
    row = await sql.require_one(SELECT_DRIVER_CASH, store_id, caller.owner_id, driver_id)
    rows = await sql.fetch(SELECT_ENTRIES, row["id"], caller.owner_id, MAX_ENTRIES)
    entries = [_to_entry(entry, row["currency"]) for entry in rows]
    return extend_record(DriverCashWithEntries, _to_driver_cash(row), entries=entries)


async def list_cash_held(owner_id: int, driver_id: int) -> list[CashHeld]:
    """List the cash that a driver holds, by store."""
    rows = await sql.fetch(SELECT_CASH_OF_DRIVER, owner_id, driver_id)
    return [CashHeld(row["store_id"], row["currency"], row["balance_minor"], row["since"]) for row in rows]


def _to_driver_cash(row: sql.Row) -> DriverCash:
    return sql.to_record(DriverCash, row, amount=Money(row["balance_minor"], row["currency"]))


def _to_entry(row: sql.Row, currency: str) -> DriverCashEntry:
    return sql.to_record(
        DriverCashEntry,
        row,
        kind=DriverCashEntryKind(row["kind"]),
        amount=Money(row["amount_minor"], currency),
        balance=Money(row["balance_minor"], currency),
    )
