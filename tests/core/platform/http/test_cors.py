"""Requests of browser pages from other origins."""

ORIGIN = "https://shop.example"


async def test_any_page_may_read_public_answers(client, store_id):
    response = await client.get(f"/api/v1/menu/{store_id}", headers={"Origin": ORIGIN})

    assert response.headers["Access-Control-Allow-Origin"] == "*"
    exposed = response.headers["Access-Control-Expose-Headers"].split(", ")
    assert {"X-RateLimit-Remaining", "Retry-After", "X-Request-Id", "ETag"} <= set(exposed)
    assert "Access-Control-Allow-Credentials" not in response.headers


async def test_no_page_may_read_an_owners_answers(client, owner):
    response = await client.get("/api/v1/me", headers={**owner.auth, "Origin": ORIGIN})

    assert response.status_code == 200
    assert not [name for name, _ in response.headers if name.lower().startswith("access-control")]


async def test_pages_of_allowed_origins_may(new_client, owner):
    client = new_client(cors_origins=[ORIGIN])

    allowed = await client.get("/api/v1/me", headers={**owner.auth, "Origin": ORIGIN})
    refused = await client.get("/api/v1/me", headers={"Origin": ORIGIN})
    unknown = await client.get("/api/v1/nothing", headers={"Origin": ORIGIN})
    other = await client.get("/api/v1/me", headers={**owner.auth, "Origin": ORIGIN + ".evil.example"})

    for response in (allowed, refused, unknown):
        assert response.headers["Access-Control-Allow-Origin"] == ORIGIN
        assert response.headers["Vary"] == "Origin"
    assert "Access-Control-Allow-Origin" not in other.headers


async def test_a_preflight_of_a_public_route(client, store_id):
    response = await client.options(
        f"/api/v1/menu/{store_id}", headers={"Origin": ORIGIN, "Access-Control-Request-Method": "GET"}
    )

    assert response.status_code == 204
    assert response.headers["Access-Control-Allow-Origin"] == "*"
    assert response.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS"
    allowed = set(response.headers["Access-Control-Allow-Headers"].split(", "))
    assert {"Content-Type", "traceparent", "tracestate", "baggage"} <= allowed
    assert await response.get_data() == b""


async def test_a_preflight_of_an_owners_route(new_client, client):
    asked = {"Origin": ORIGIN, "Access-Control-Request-Method": "PUT"}

    allowed = await new_client(cors_origins=[ORIGIN]).options("/api/v1/restaurants/1/settings", headers=asked)
    refused = await client.options("/api/v1/restaurants/1/settings", headers=asked)

    assert allowed.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert allowed.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS, PUT"
    assert {"Authorization", "Idempotency-Key"} <= set(allowed.headers["Access-Control-Allow-Headers"].split(", "))
    assert refused.status_code == 204
    assert "Access-Control-Allow-Origin" not in refused.headers


async def test_options_lists_methods(client):
    response = await client.options("/api/v1/restaurants/1/menu/items/2")

    assert (response.status_code, response.headers["Allow"]) == (204, "DELETE, GET, HEAD, OPTIONS, PUT")
    assert (await client.options("/api/v1/nothing")).status_code == 404


async def test_a_client_generated_from_the_description_may_double_the_prefix(client, owner):
    once = await (await client.get("/api/v1/me", headers=owner.auth)).get_json()
    twice = await client.get("/api/v1/api/v1/me", headers=owner.auth)

    assert await twice.get_json() == once
    assert (await client.get("/api/v1/api/v1")).status_code == 200
    assert (await client.get("/api/v1/api/v1/nothing")).status_code == 404
    assert (await client.get("/api/v1/api/v1/api/v1/me", headers=owner.auth)).status_code == 404
