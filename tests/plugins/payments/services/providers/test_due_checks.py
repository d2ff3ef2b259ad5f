"""What is due for a check, claimed by several processes at once."""

import asyncio
from datetime import timedelta

from comanda.platform.db import sql
from comanda_payments.services.providers.due_checks import claim_each


async def test_each_row_is_claimed_by_one(gateway, till, clock):
    for amount in (1, 2, 3):
        reply = await till.pay("stripe", amount)
        assert reply.status == 201, reply
    clock.advance(minutes=10)
    due = await sql.fetch("SELECT id, owner_id FROM payments_payment WHERE owner_id = $1", till.store.owner.id)
    claim = """
        UPDATE payments_payment SET check_at = $1::timestamptz + $4::interval
        WHERE id = $2 AND owner_id = $3 AND check_at <= $1 RETURNING id
    """

    async def claim_all(rows):
        return [row["id"] async for row in claim_each(rows, claim, timedelta(hours=1))]

    claimed = await asyncio.gather(*(claim_all(due if turn % 2 else reversed(due)) for turn in range(8)))

    assert sorted(id for ids in claimed for id in ids) == sorted(row["id"] for row in due)
    assert len(due) == 3
