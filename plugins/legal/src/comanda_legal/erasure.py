"""Export and erasure of personal data: who withdrew. That somebody did, when, and from which order stays."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.contracts import DELETED_CUSTOMER, Person, PersonalDataEraser
from comanda.orders import anonymize_events, find_rows_of, lock_rows_of
from comanda.platform.db import sql

from comanda_legal.events import WithdrawalReceived

TABLE: Final = "legal_withdrawal"
CONTACTS: Final = ("phone", "email")
COLUMNS: Final = (
    "submitted_at", "reference", "name", "email", "phone", "contract", "items", "order_id", "acknowledged_at",
    "handled_at",
)  # fmt: skip
# Names and addresses could be guessed from the hash of the body.
ANONYMIZE: Final = f"""
    UPDATE legal_withdrawal
    SET name = '{DELETED_CUSTOMER}', email = NULL, phone = NULL, contract = NULL, items = NULL, body_hash = NULL
    WHERE owner_id = $1 AND (id = ANY($2::bigint[]) OR order_id = ANY($3::bigint[])) RETURNING id
"""
SELECT_OF_ORDERS: Final = f"""
    SELECT id, {", ".join(COLUMNS)} FROM legal_withdrawal
    WHERE owner_id = $1 AND order_id = ANY($2::bigint[]) ORDER BY id
"""


async def export_withdrawals(person: Person) -> Sequence[Mapping[str, Any]]:
    """Return a person's statements: those with their address or number, and those of their orders."""
    found = await find_rows_of(person, TABLE, ("id", *COLUMNS), by=CONTACTS)
    of_orders = await sql.fetch(SELECT_OF_ORDERS, person.owner_id, sorted(person.order_ids))
    rows = {row["id"]: dict(row) for row in of_orders} | {row["id"]: dict(row) for row in found}
    return [{name: rows[id][name] for name in COLUMNS} for id in sorted(rows)]


async def erase_withdrawals(person: Person) -> None:
    """Delete a person's name, contact details and texts from their statements and from stored events."""
    ids = await lock_rows_of(person, TABLE, by=CONTACTS)
    rows = await sql.fetch(ANONYMIZE, person.owner_id, ids, sorted(person.order_ids))
    await anonymize_events(person, WithdrawalReceived, "withdrawal_id", [row["id"] for row in rows])


ERASER: Final = PersonalDataEraser("legal", erase_withdrawals, export=export_withdrawals)
