"""Idempotency of reservations: the ``Idempotency-Key`` is stored with the reservation and never expires."""

from comanda.contracts.idempotency import IdempotencyKey, IdempotentResult
from comanda.db import sql

from comanda_reservations.services.records import RESERVATION_COLUMNS, to_reservation_record

SELECT_RESERVATION_BY_KEY = f"""
    SELECT {RESERVATION_COLUMNS}, body_hash FROM reservations_reservation
    WHERE store_id = $1 AND owner_id = $2 AND idempotency_key = $3
"""


async def find_by_key(owner_id: int, store_id: int, key: IdempotencyKey) -> IdempotentResult | None:
    """Return the reservation that an earlier request with this key created. The caller has locked the booking rules."""
    if key.text is None:
        return None
    row = await sql.fetch_one(SELECT_RESERVATION_BY_KEY, store_id, owner_id, key.text)
    if row is None:
        return None
    return IdempotentResult(to_reservation_record(row), is_replay=True, is_mismatch=row["body_hash"] != key.body_hash)
