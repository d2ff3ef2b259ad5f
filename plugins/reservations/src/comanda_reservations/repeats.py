"""One key, one reservation: the header ``Idempotency-Key``, kept with the reservation for ever."""

from comanda.contracts.idempotency import IdempotencyKey, IdempotentResult
from comanda.db import sql

from comanda_reservations.records import COLUMNS, reservation_record

FIND = f"""
    SELECT {COLUMNS}, body_hash FROM reservations_reservation
    WHERE store_id = $1 AND owner_id = $2 AND idempotency_key = $3
"""


async def find(owner_id: int, store_id: int, key: IdempotencyKey) -> IdempotentResult | None:
    """Return what an earlier request of this key made; the caller holds the store's book."""
    if key.text is None:
        return None
    row = await sql.fetch_one(FIND, store_id, owner_id, key.text)
    if row is None:
        return None
    return IdempotentResult(reservation_record(row), is_replay=True, is_mismatch=row["body_hash"] != key.body_hash)
