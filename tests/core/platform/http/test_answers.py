"""Entity tags and cache headers of answers."""

import pytest
from comanda.contracts.requests.calls import Call
from comanda.platform.http.answers import cacheable_answer


@pytest.mark.parametrize("path", ["/api/v1", "/api/v1/openapi.json", "/api/v1/menu/{store_id}"])
async def test_unchanged_answer_returns_304(client, store_id, path):
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


async def test_owner_answers_are_not_cached(client, owner, store_id):
    for path in ("/me", "/restaurants", f"/restaurants/{store_id}/menu", "/track/nothing"):
        response = await client.get(f"/api/v1{path}", headers=owner.auth)
        assert response.headers["Cache-Control"] == "no-store"
