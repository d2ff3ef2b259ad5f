"""Claims and leases of deliveries."""

import asyncio

import pytest
from comanda.accounts import administration
from comanda.platform.db import sql
from comanda.platform.queue.leases import claim_rows
from comanda_webhooks import tasks
from comanda_webhooks.services import claims
from comanda_webhooks.services.sender import create_work


async def test_backlog_does_not_starve_other_endpoints(
    new_inbox, create_endpoint, emit_events, receiver, sender, other_owner, new_consumer
):
    """Even a sender with little room serves all endpoints."""
    first, second = await new_inbox(), await new_inbox()
    await create_endpoint(first.url)
    await create_endpoint(second.url, auth=other_owner.auth)
    await emit_events(count=200)
    await emit_events(count=1, of=other_owner)
    small = new_consumer(receiver, max_in_flight=4)

    for _ in range(2):
        await small.claim()
        while small._calls:
            await asyncio.wait(small._calls)

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


async def test_expired_lease_is_claimed_again(
    inbox, create_endpoint, emit_events, receiver, sender, get_deliveries, clock
):
    lease = create_work(receiver).limits.lease
    endpoint = await create_endpoint(inbox.url)
    await emit_events()
    held = await claim_rows(claims.DELIVERIES, 10, lease)  # claimed by a process that is then killed
    assert len(held) == 1

    assert await sender.process_all_due() == 0
    clock.advance(seconds=lease.total_seconds())
    assert await sender.process_all_due() == 1

    [row] = await get_deliveries(endpoint)
    assert (row["status"], row["attempts"]) == ("delivered", 1)


async def test_two_senders_send_each_delivery_once(inbox, create_endpoint, emit_events, receiver, sender, new_consumer):
    await create_endpoint(inbox.url)
    await emit_events(count=200)

    counts = await asyncio.gather(sender.process_all_due(), new_consumer(receiver).process_all_due())

    assert sum(counts) == 200
    assert len({received.id for received in inbox.received}) == len(inbox.received) == 200


@pytest.mark.parametrize("is_parked", [True, False])
async def test_claimed_deliveries_of_suspended_owner_wait_until_it_is_back(
    owner, inbox, create_endpoint, emit_events, sender, get_deliveries, monkeypatch, is_parked
):
    monkeypatch.setattr("comanda.platform.queue.consumer.STALE_SECONDS", 0.05)
    endpoint = await create_endpoint(inbox.url)
    await emit_events(count=10)
    inbox.is_open.clear()
    sending = asyncio.create_task(sender.process_all_due())
    await inbox.wait_for(4)  # what one endpoint gets at once; six are claimed and wait

    await administration.suspend_owner(owner.id, "Unpaid")
    await asyncio.sleep(0.1)
    inbox.is_open.set()
    await sending

    assert len(inbox.received) == 4
    waiting = [row for row in await get_deliveries(endpoint) if row["status"] == "pending"]
    assert [row["attempts"] for row in waiting] == [0] * 6

    if is_parked:  # the leases ended during the suspension
        await end_leases(endpoint)
        assert await sender.process_all_due() == 0
        assert {row["next_attempt_at"] for row in await get_deliveries(endpoint)} == {None}
    await administration.unsuspend_owner(owner.id)
    await end_leases(endpoint)
    await tasks.sweep_endpoints()

    assert await sender.process_all_due() == 6
    assert len({received.id for received in inbox.received}) == len(inbox.received) == 10


async def end_leases(endpoint):
    await sql.execute("UPDATE webhooks_delivery SET leased_until = NULL WHERE endpoint_id = $1", endpoint["id"])
