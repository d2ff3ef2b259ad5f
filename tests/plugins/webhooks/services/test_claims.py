"""Claims and leases of deliveries."""

import asyncio

from comanda.db import sql
from comanda_webhooks.services import claims
from comanda_webhooks.services.sender import DeliverySender


async def test_backlog_does_not_starve_other_endpoints(
    new_inbox, create_endpoint, emit_events, receiver, sender, other_owner
):
    """Even a sender with little room serves all endpoints."""
    first, second = await new_inbox(), await new_inbox()
    await create_endpoint(first.url)
    await create_endpoint(second.url, auth=other_owner.auth)
    await emit_events(count=200)
    await emit_events(count=1, of=other_owner)
    small = DeliverySender(receiver, max_in_flight=4)

    for _ in range(2):
        await small.claim_deliveries()
        while small._workers:
            await asyncio.wait(small._workers)

    assert len(second.received) == 1
    assert 0 < len(first.received) < 200


async def test_claims_use_the_index_of_due_deliveries(app):
    """A claim skips from endpoint to endpoint; another index in that order made it scan the whole log."""
    definitions = await sql.fetch("SELECT indexdef FROM pg_indexes WHERE tablename = 'webhooks_delivery'")

    tempting = [text for (text,) in definitions if "btree (endpoint_id" in text and " WHERE " not in text]

    assert tempting == []
    assert any(
        "(endpoint_id, next_attempt_at, id) WHERE (next_attempt_at IS NOT NULL)" in text for (text,) in definitions
    )


async def test_expired_lease_is_claimed_again(inbox, create_endpoint, emit_events, sender, get_deliveries, clock):
    endpoint = await create_endpoint(inbox.url)
    await emit_events()
    held = await claims.claim_due_deliveries(0, {}, 10, 10)  # claimed by a process that is then killed
    assert len(held.deliveries) == 1

    assert await sender.send_due() == 0
    clock.advance(seconds=claims.LEASE_DURATION.total_seconds())
    assert await sender.send_due() == 1

    [row] = await get_deliveries(endpoint)
    assert (row["status"], row["attempts"]) == ("delivered", 1)


async def test_two_senders_send_each_delivery_once(inbox, create_endpoint, emit_events, receiver, sender):
    await create_endpoint(inbox.url)
    await emit_events(count=200)

    counts = await asyncio.gather(sender.send_due(), DeliverySender(receiver).send_due())

    assert sum(counts) == 200
    assert len({received.id for received in inbox.received}) == len(inbox.received) == 200
