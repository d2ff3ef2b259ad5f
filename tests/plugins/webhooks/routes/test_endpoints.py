"""The routes of endpoints."""

from datetime import timedelta

import pytest
from comanda.db import sql

ENDPOINTS = "/api/v1/webhook-endpoints"


async def test_secret_is_shown_on_creation_only(client, owner, create_endpoint, build_path):
    made = await create_endpoint(
        "https://hooks.example.com/in", ["order.created", "subscription.*", "order.created"][:1]
    )

    shown = await (await client.get(build_path(made), headers=owner.auth)).get_json()
    listed = await (await client.get(ENDPOINTS, headers=owner.auth)).get_json()

    secret = made.pop("secret")
    assert secret.startswith("whsec_")
    assert shown == made
    assert listed["data"] == [made]
    assert shown == {
        "id": made["id"],
        "url": "https://hooks.example.com/in",
        "events": ["order.created"],
        "scopes": ["*"],
        "is_paused": False,
        "disabled_reason": None,
        "last_success_at": None,
        "last_failure_at": None,
        "failure_count": 0,
        "created_at": made["created_at"],
    }


async def test_all_errors_are_reported_at_once(client, owner):
    response = await client.post(ENDPOINTS, json={"url": "ftp://x", "events": ["no.such"]}, headers=owner.auth)

    assert set((await response.get_json())["errors"]) == {"url", "events"}


async def test_endpoint_of_other_owner_returns_404(
    client, owner, other_owner, create_endpoint, emit_events, build_path
):
    foreign = await create_endpoint("https://hooks.example.com/in", auth=other_owner.auth)
    await emit_events(of=other_owner)
    delivery = await sql.fetch_value("SELECT id FROM webhooks_delivery WHERE endpoint_id = $1", foreign["id"])
    await sql.execute(
        "UPDATE webhooks_delivery SET status = 'failed', finished_at = now(), next_attempt_at = NULL WHERE id = $1",
        delivery,
    )

    async def state():
        return [
            [tuple(row) for row in await sql.fetch(f"SELECT * FROM {table} WHERE owner_id = $1", other_owner.id)]
            for table in ("webhooks_endpoint", "webhooks_delivery")
        ]

    before = await state()
    calls = [
        ("GET", "", None),
        ("PATCH", "", {"paused": True}),
        ("PATCH", "", {"events": ["no.such"]}),
        ("DELETE", "", None),
        ("POST", "/test", None),
        ("POST", "/rotate-secret", None),
        ("POST", "/replay", {"since": "2020-01-01T00:00:00Z", "status": "all"}),
        ("GET", "/deliveries", None),
        ("GET", f"/deliveries/{delivery}", None),
        ("POST", f"/deliveries/{delivery}/redeliver", None),
    ]
    for method, rest, body in calls:
        response = await client.open(build_path(foreign, rest), method=method, json=body, headers=owner.auth)
        assert response.status_code == 404, (method, rest)
        assert (await response.get_json())["code"] == "not_found"

    assert await state() == before
    assert (await (await client.get(ENDPOINTS, headers=owner.auth)).get_json())["total"] == 0


@pytest.mark.parametrize(
    ("method", "rest", "scope"),
    [
        ("GET", "", "webhooks:read"),
        ("GET", "/deliveries", "webhooks:read"),
        ("PATCH", "", "webhooks:write"),
        ("POST", "/test", "webhooks:write"),
        ("POST", "/rotate-secret", "webhooks:write"),
        ("POST", "/replay", "webhooks:write"),
    ],
)
async def test_each_route_requires_its_scope(client, owner, create_endpoint, method, rest, scope, build_path):
    made = await create_endpoint("https://hooks.example.com/in")
    body = {"since": "2020-01-01T00:00:00Z"} if method != "GET" else None

    allowed = await client.open(build_path(made, rest), method=method, json=body, headers=await owner.token_with(scope))
    insufficient = await owner.token_with("webhooks:read" if scope == "webhooks:write" else "orders:write")
    refused = await client.open(build_path(made, rest), method=method, json=body, headers=insufficient)

    assert allowed.status_code in (200, 202)
    assert refused.status_code == 403
    assert (await refused.get_json())["code"] == "forbidden"


async def test_times_are_utc(client, owner, create_endpoint, clock, build_path):
    made = await create_endpoint("https://hooks.example.com/in")

    assert made["created_at"] == clock().isoformat()
    rotated = await (await client.post(build_path(made, "/rotate-secret"), headers=owner.auth)).get_json()
    assert rotated["old_secret_expires_at"] == (clock() + timedelta(hours=24)).isoformat()
