"""The routes of endpoints."""

from datetime import timedelta

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
