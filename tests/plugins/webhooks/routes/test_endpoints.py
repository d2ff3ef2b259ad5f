"""The routes of endpoints."""

from datetime import timedelta

import orjson

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


async def test_endpoints_of_other_owners_are_not_listed(client, owner, other_owner, create_endpoint):
    await create_endpoint("https://hooks.example.com/in", auth=other_owner.auth)

    assert (await (await client.get(ENDPOINTS, headers=owner.auth)).get_json())["total"] == 0


ROUTES = [
    ("GET", "", "webhooks:read"),
    ("GET", "/deliveries", "webhooks:read"),
    ("PATCH", "", "webhooks:write"),
    ("POST", "/test", "webhooks:write"),
    ("POST", "/rotate-secret", "webhooks:write"),
    ("POST", "/replay", "webhooks:write"),
]


async def test_each_route_requires_its_scope(client, owner, create_endpoint, build_path, subtests):
    made = await create_endpoint("https://hooks.example.com/in")

    for method, rest, scope in ROUTES:
        with subtests.test(method=method, rest=rest, scope=scope):
            body = {"since": "2020-01-01T00:00:00Z"} if method != "GET" else None

            allowed = await client.open(
                build_path(made, rest), method=method, json=body, headers=await owner.token_with(scope)
            )
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


async def test_log_is_paged_newest_first_and_filtered(inbox, create_endpoint, emit_events, sender, call_endpoint):
    endpoint = await create_endpoint(inbox.url)
    await emit_events(count=32)
    await emit_events("menu.updated", restaurant_id=1)
    await sender.process_all_due()
    await emit_events()

    _, first = await call_endpoint(endpoint, "/deliveries")
    _, second = await call_endpoint(endpoint, "/deliveries?page=2")
    _, menus = await call_endpoint(endpoint, "/deliveries?event=menu.updated")
    _, pending = await call_endpoint(endpoint, "/deliveries?status=pending&event=order.created")

    assert (first["total"], first["last_page"], first["per_page"], len(second["data"])) == (34, 2, 30, 4)
    ids = [row["id"] for row in first["data"] + second["data"]]
    assert ids == sorted(ids, reverse=True)
    assert [(row["event"], row["status"]) for row in menus["data"]] == [("menu.updated", "delivered")]
    assert [row["id"] for row in pending["data"]] == ids[:1]


async def test_unknown_status_returns_422(create_endpoint, call_endpoint):
    status, answer = await call_endpoint(
        await create_endpoint("https://hooks.example.com/in"), "/deliveries?status=lost"
    )

    assert status == 422
    assert answer["errors"] == {"status": ["Must be one of: pending, delivered, failed, superseded."]}


async def test_delivery_shows_payload_and_attempts(failed_delivery, call_endpoint):
    endpoint, row = failed_delivery

    status, shown = await call_endpoint(endpoint, f"/deliveries/{row['id']}")

    assert status == 200
    assert (shown["webhook_id"], shown["status"], shown["http_status"]) == (row["message_id"], "failed", 500)
    assert shown["payload"] == orjson.loads(row["body"])
    [attempt] = shown["attempts"]
    assert (attempt["number"], attempt["http_status"], attempt["error"]) == (5, 500, None)


async def test_delivery_of_other_endpoint_returns_404(failed_delivery, create_endpoint, call_endpoint, get_deliveries):
    endpoint, row = failed_delivery
    second = await create_endpoint("https://hooks.example.com/second")

    assert (await call_endpoint(second, f"/deliveries/{row['id']}"))[0] == 404
    assert (await call_endpoint(second, f"/deliveries/{row['id']}/redeliver", "POST"))[0] == 404
    assert len(await get_deliveries(endpoint)) == 1


async def test_replay_requires_utc_offset(create_endpoint, call_endpoint):
    endpoint = await create_endpoint("https://hooks.example.com/in")

    status, answer = await call_endpoint(endpoint, "/replay", "POST", json={"since": "2026-01-01T00:00:00"})

    assert (status, list(answer["errors"])) == (422, ["since"])
