"""What browsers, caches and generated clients rely on: CORS, ETags, pages, and a prefix that may come twice."""

import pytest
from comanda.contracts.calls import Call
from comanda.contracts.paging import PageRequest
from comanda.http.answers import cacheable_answer

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
    assert "Content-Type" in response.headers["Access-Control-Allow-Headers"]
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


async def test_options_tells_the_methods(client):
    response = await client.options("/api/v1/restaurants/1/menu/items/2")

    assert (response.status_code, response.headers["Allow"]) == (204, "DELETE, GET, HEAD, OPTIONS, PUT")
    assert (await client.options("/api/v1/nothing")).status_code == 404


@pytest.mark.parametrize("path", ["/api/v1", "/api/v1/openapi.json", "/api/v1/menu/{store_id}"])
async def test_what_has_not_changed_is_not_sent_again(client, store_id, path):
    path = path.format(store_id=store_id)
    first = await client.get(path)
    tag = first.headers["ETag"]

    for known in (tag, f'"x", {tag}', tag.removeprefix("W/"), "*"):
        again = await client.get(path, headers={"If-None-Match": known})
        assert (again.status_code, await again.get_data()) == (304, b"")
        assert again.headers["ETag"] == tag
        assert "X-RateLimit-Remaining" in again.headers
    for unknown in ('W/"x"', "", tag[:-2] + '"', f'W/"{tag}'):
        assert (await client.get(path, headers={"If-None-Match": unknown})).status_code == 200


def test_a_tag_within_another_tag_is_not_that_tag():
    call = Call("GET", "/", {"if-none-match": '"ab"'}, "", b"", "", "")

    assert cacheable_answer(call, b"x", 'W/"a"').status is None
    assert cacheable_answer(call, b"x", 'W/"ab"').status == 304


async def test_a_menu_that_changed_has_another_tag(client, owner, store_id):
    tag = (await client.get(f"/api/v1/menu/{store_id}")).headers["ETag"]
    category = {"name": "Soups"}
    made = await client.post(f"/api/v1/restaurants/{store_id}/menu/categories", headers=owner.auth, json=category)
    item = {"name": "Minestrone", "price": 7, "category_id": (await made.get_json())["id"]}
    await client.post(f"/api/v1/restaurants/{store_id}/menu/items", headers=owner.auth, json=item)

    response = await client.get(f"/api/v1/menu/{store_id}", headers={"If-None-Match": tag})

    assert response.status_code == 200
    assert (await response.get_json())[0]["items"][0]["name"] == "Minestrone"


async def test_what_a_token_sees_is_kept_by_nobody(client, owner, store_id):
    for path in ("/me", "/restaurants", f"/restaurants/{store_id}/menu", "/track/nothing"):
        response = await client.get(f"/api/v1{path}", headers=owner.auth)
        assert response.headers["Cache-Control"] == "no-store"


async def test_a_client_generated_from_the_description_may_double_the_prefix(client, owner):
    once = await (await client.get("/api/v1/me", headers=owner.auth)).get_json()
    twice = await client.get("/api/v1/api/v1/me", headers=owner.auth)

    assert await twice.get_json() == once
    assert (await client.get("/api/v1/api/v1")).status_code == 200
    assert (await client.get("/api/v1/api/v1/nothing")).status_code == 404
    assert (await client.get("/api/v1/api/v1/api/v1/me", headers=owner.auth)).status_code == 404


@pytest.mark.parametrize(
    ("query", "page", "per_page", "rows"),
    [
        ("", 1, 20, 3),
        ("?page=1", 1, 20, 3),
        ("?page=0", 1, 20, 3),
        ("?page=-3", 1, 20, 3),
        ("?page=abc", 1, 20, 3),
        ("?page=", 1, 20, 3),
        ("?page=1.5", 1, 20, 3),
        ("?page=%D9%A1", 1, 20, 3),
        ("?page=2", 2, 20, 0),
        ("?page=0002&per_page=2", 2, 2, 1),
        ("?page=1&page=2&per_page=1", 2, 1, 1),
        ("?per_page=0", 1, 20, 3),
        ("?per_page=-1", 1, 20, 3),
        ("?per_page=x", 1, 20, 3),
        ("?per_page=1", 1, 1, 1),
        ("?per_page=101", 1, 100, 3),
        ("?per_page=" + "9" * 30, 1, 100, 3),
    ],
)
async def test_pages(client, owner, query, page, per_page, rows):
    for _ in range(3):
        await owner.store()

    body = await (await client.get(f"/api/v1/restaurants{query}", headers=owner.auth)).get_json()

    assert (body["current_page"], body["per_page"], len(body["data"]), body["total"]) == (page, per_page, rows, 3)
    assert body["last_page"] == -(-3 // per_page)


@pytest.mark.parametrize("page", ["1" + "0" * 30, "9" * 4000, str(2**63)])
async def test_a_page_far_past_the_end_is_empty(client, owner, store_id, page):
    for path in ("/restaurants", f"/restaurants/{store_id}/orders"):
        body = await (await client.get(f"/api/v1{path}?page={page}&per_page=100", headers=owner.auth)).get_json()

        assert (body["data"], body["last_page"]) == ([], 1)
        assert body["current_page"] > 1


async def test_an_empty_list_has_one_page(client, owner, store_id):
    body = await (await client.get(f"/api/v1/restaurants/{store_id}/orders", headers=owner.auth)).get_json()

    assert body == {"data": [], "current_page": 1, "last_page": 1, "per_page": 30, "total": 0}


def test_a_page_request_counts_what_stands_before_it():
    page = PageRequest.read({"page": "3", "per_page": "7"})

    assert (page.offset(), page.size()) == (14, 7)
    assert page.envelope(["x"], 15) == {
        "data": ["x"],
        "current_page": 3,
        "last_page": 3,
        "per_page": 7,
        "total": 15,
    }
