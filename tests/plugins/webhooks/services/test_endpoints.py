"""Creating, updating, pausing and deleting endpoints."""

import asyncio

import pytest
from comanda.platform.db import sql
from comanda_webhooks import tasks
from comanda_webhooks.services.endpoints import MAX_ENDPOINTS
from comanda_webhooks.services.signing_secrets import decrypt_secret

ENDPOINTS = "/api/v1/webhook-endpoints"


async def test_update_keeps_secret_and_other_fields(client, owner, create_endpoint, build_path):
    made = await create_endpoint("https://hooks.example.com/in", ["order.created"])

    response = await client.patch(build_path(made), json={"events": ["menu.*"]}, headers=owner.auth)

    secret = made.pop("secret")
    assert await response.get_json() == {**made, "events": ["menu.*"]}
    stored = await sql.fetch_value("SELECT secret FROM webhooks_endpoint WHERE id = $1", made["id"])
    assert decrypt_secret(stored, owner.id, made["id"]) == secret


async def test_invalid_update_changes_nothing(client, owner, create_endpoint, build_path):
    made = await create_endpoint("https://hooks.example.com/in", ["order.created"])

    response = await client.patch(
        build_path(made), json={"paused": True, "events": ["no.such"], "url": "https://10.1.1.1/"}, headers=owner.auth
    )

    assert response.status_code == 422
    shown = await (await client.get(build_path(made), headers=owner.auth)).get_json()
    assert shown == {key: value for key, value in made.items() if key != "secret"}


@pytest.mark.parametrize("field", ["paused", "is_paused"])
async def test_paused_endpoint_gets_deliveries_when_resumed(
    client, owner, inbox, create_endpoint, emit_events, sender, get_deliveries, field, build_path
):
    made = await create_endpoint(inbox.url)
    await emit_events(count=2)

    paused = await (await client.patch(build_path(made), json={field: True}, headers=owner.auth)).get_json()
    await emit_events()
    assert await sender.process_all_due() == 0
    resumed = await (await client.patch(build_path(made), json={field: False}, headers=owner.auth)).get_json()
    assert await sender.process_all_due() == 2

    assert (paused["is_paused"], resumed["is_paused"]) == (True, False)
    assert len(await get_deliveries(made)) == len(inbox.received) == 2
    assert all(received.verify(made["secret"]) for received in inbox.received)


async def test_resuming_resets_failures(client, owner, create_endpoint, build_path):
    made = await create_endpoint("https://hooks.example.com/in")
    await sql.execute(
        """UPDATE webhooks_endpoint SET is_paused = true, disabled_reason = 'failing', failure_count = 12,
           failing_since = now(), warned_at = now() WHERE id = $1""",
        made["id"],
    )

    resumed = await (await client.patch(build_path(made), json={"paused": False}, headers=owner.auth)).get_json()

    assert (resumed["is_paused"], resumed["disabled_reason"], resumed["failure_count"]) == (False, None, 0)
    row = await sql.fetch_one("SELECT failing_since, warned_at FROM webhooks_endpoint WHERE id = $1", made["id"])
    assert tuple(row) == (None, None)


async def test_deleted_endpoint_gets_no_deliveries(
    client, owner, inbox, create_endpoint, emit_events, sender, build_path
):
    made = await create_endpoint(inbox.url)
    await emit_events()

    response = await client.delete(build_path(made), headers=owner.auth)

    assert response.status_code == 204
    await emit_events()
    assert await sender.process_all_due() == 0
    assert (await client.get(build_path(made), headers=owner.auth)).status_code == 404
    assert (await client.delete(build_path(made), headers=owner.auth)).status_code == 404
    assert (await (await client.get(ENDPOINTS, headers=owner.auth)).get_json())["data"] == []
    row = await sql.fetch_one("SELECT url, secret, old_secrets FROM webhooks_endpoint WHERE id = $1", made["id"])
    assert tuple(row) == ("", "", "")


async def test_concurrent_creations_respect_the_limit(client, owner, create_endpoint):
    for number in range(MAX_ENDPOINTS - 1):
        await create_endpoint(f"https://hooks.example.com/{number}")

    body = {"url": "https://hooks.example.com/last", "events": ["*"]}
    answers = await asyncio.gather(*(client.post(ENDPOINTS, json=body, headers=owner.auth) for _ in range(3)))

    assert sorted(answer.status_code for answer in answers) == [201, 409, 409]
    refused = await next(answer for answer in answers if answer.status_code == 409).get_json()
    assert (refused["code"], refused["limits"]) == ("conflict", {"webhook_endpoints": MAX_ENDPOINTS})


async def test_endpoint_of_suspended_owner_waits(owner, inbox, create_endpoint, emit_events, sender, get_deliveries):
    made = await create_endpoint(inbox.url)
    await emit_events()
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)
    await emit_events()
    assert await sender.process_all_due() == 0
    await tasks.sweep_endpoints()
    assert await sender.process_all_due() == 0

    await sql.execute("UPDATE core_owner SET is_suspended = false WHERE id = $1", owner.id)
    await tasks.sweep_endpoints()

    assert await sender.process_all_due() == 1
    assert len(await get_deliveries(made)) == 1
