"""The scheduled tasks: warn, disable, prune."""

from datetime import timedelta

import pytest
from comanda.platform.db import sql
from comanda_webhooks import tasks


@pytest.fixture
async def endpoint(create_endpoint):
    return await create_endpoint("https://hooks.example.com/in")


async def fail(endpoint, since, count):
    await sql.execute(
        "UPDATE webhooks_endpoint SET failing_since = $2, last_failure_at = $2, failure_count = $3 WHERE id = $1",
        endpoint["id"],
        since,
        count,
    )


@pytest.fixture
def get_endpoint(client, owner, endpoint):
    async def show():
        response = await client.get(f"/api/v1/webhook-endpoints/{endpoint['id']}", headers=owner.auth)
        found = await response.get_json()
        return found["is_paused"], found["disabled_reason"]

    return show


async def test_endpoint_failing_for_120_hours_is_disabled(endpoint, clock, get_endpoint, published):
    await fail(endpoint, clock() - timedelta(hours=120), 10)

    await tasks.sweep_endpoints()
    await tasks.sweep_endpoints()

    assert await get_endpoint() == (True, "failing")
    told = {"endpoint_id": endpoint["id"], "url": endpoint["url"], "reason": "failing"}
    assert await published() == [("webhook_endpoint.disabled", told)]


@pytest.mark.parametrize(("hours", "count"), [(119.9, 1000), (1000, 9)])
async def test_time_or_failures_alone_do_not_disable(endpoint, clock, get_endpoint, hours, count):
    await fail(endpoint, clock() - timedelta(hours=hours), count)

    await tasks.sweep_endpoints()

    assert await get_endpoint() == (False, None)


async def test_owner_is_warned_once_half_way(endpoint, clock, get_endpoint, published):
    await fail(endpoint, clock() - timedelta(hours=60), 10)

    await tasks.sweep_endpoints()
    clock.advance(hours=1)
    await tasks.sweep_endpoints()

    assert await get_endpoint() == (False, None)
    told = {"endpoint_id": endpoint["id"], "url": endpoint["url"], "failure_count": 10}
    assert await published() == [("webhook_endpoint.failing", told)]


async def test_paused_endpoint_is_neither_warned_nor_disabled(endpoint, clock, client, owner, get_endpoint, published):
    await client.patch(f"/api/v1/webhook-endpoints/{endpoint['id']}", json={"paused": True}, headers=owner.auth)
    await fail(endpoint, clock() - timedelta(hours=200), 50)

    await tasks.sweep_endpoints()

    assert await get_endpoint() == (True, None)
    assert await published() == []


async def test_bodies_are_pruned_after_30_days_log_after_90(
    inbox, create_endpoint, emit_events, sender, get_deliveries, clock, client, owner
):
    endpoint = await create_endpoint(inbox.url)
    await emit_events()
    await sender.process_all_due()
    [row] = await get_deliveries(endpoint)
    path = f"/api/v1/webhook-endpoints/{endpoint['id']}/deliveries/{row['id']}"

    clock.advance(days=29)
    await tasks.prune_log()
    before = await (await client.get(path, headers=owner.auth)).get_json()
    clock.advance(days=2)
    await tasks.prune_log()
    after = await (await client.get(path, headers=owner.auth)).get_json()
    clock.advance(days=60)
    await tasks.prune_log()

    assert before["payload"]["event"] == "order.created"
    assert (after["payload"], after["status"], len(after["attempts"])) == (None, "delivered", 1)
    assert (await client.get(path, headers=owner.auth)).status_code == 404
    assert await sql.fetch_value("SELECT count(*) FROM webhooks_attempt WHERE delivery_id = $1", row["id"]) == 0


async def test_delivery_parked_too_long_fails(
    inbox, create_endpoint, emit_events, sender, get_deliveries, clock, client, owner
):
    endpoint = await create_endpoint(inbox.url)
    await emit_events()
    await client.patch(f"/api/v1/webhook-endpoints/{endpoint['id']}", json={"paused": True}, headers=owner.auth)
    await sender.process_all_due()
    clock.advance(days=31)

    await tasks.prune_log()

    [row] = await get_deliveries(endpoint)
    assert (row["status"], row["body"]) == ("failed", None)
    assert inbox.received == []


async def test_deleted_endpoint_and_log_are_purged(
    inbox, create_endpoint, emit_events, sender, client, owner, monkeypatch
):
    monkeypatch.setattr(tasks, "CHUNK_SIZE", 2)
    endpoint = await create_endpoint(inbox.url)
    await emit_events(count=5)
    await sender.process_all_due()
    await client.delete(f"/api/v1/webhook-endpoints/{endpoint['id']}", headers=owner.auth)

    await tasks.prune_log()

    assert await sql.fetch_value("SELECT count(*) FROM webhooks_endpoint WHERE id = $1", endpoint["id"]) == 0
    assert await sql.fetch_value("SELECT count(*) FROM webhooks_delivery WHERE owner_id = $1", owner.id) == 0
