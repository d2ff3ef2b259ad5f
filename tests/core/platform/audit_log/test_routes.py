"""Routes of the audit log."""

import pytest
from comanda.contracts.requests.routes import API_PREFIX
from comanda.platform.db import sql

LOG = f"{API_PREFIX}/audit-log"


async def test_listing_requires_restaurants_read(client, owner):
    refused = await client.get(LOG, headers=await owner.token_with("orders:read"))
    allowed = await client.get(LOG, headers=await owner.token_with("restaurants:read"))

    assert (refused.status_code, (await refused.get_json())["required"]) == (403, "restaurants:read")
    assert allowed.status_code == 200


@pytest.mark.parametrize("query", [{"from": "soon"}, {"to": "2026-13-01"}, {"restaurant_id": "x"}, {"from": "\x00"}])
async def test_invalid_filter_is_422(client, owner, query):
    response = await client.get(LOG, headers=owner.auth, query_string=query)

    assert response.status_code == 422
    assert list((await response.get_json())["errors"]) == list(query)


async def test_entries_of_one_person_are_listed(client, owner, store_id):
    await client.put(f"{API_PREFIX}/restaurants/{store_id}/settings", headers=owner.auth, json={"title": "New"})

    own = await (await client.get(LOG, headers=owner.auth, query_string={"actor_id": owner.id})).get_json()
    others = await (await client.get(LOG, headers=owner.auth, query_string={"actor_id": owner.id + 1})).get_json()

    assert [entry["action"] for entry in own["data"]] == ["put_restaurants_id_settings"]
    assert others["data"] == []


async def test_repeat_leaves_no_entry(client, owner, store_id):
    # PostgreSQL logs the next number of a sequence that was set, which counts as a write.
    statement = "SELECT setval('core_stored_answer_id_seq', nextval('core_stored_answer_id_seq'))"
    path, body = f"{API_PREFIX}/restaurants/{store_id}/menu/categories", {"name": "Drinks"}
    headers = {**owner.auth, "Idempotency-Key": "once"}
    first = await client.post(path, headers=headers, json=body)
    await sql.execute(statement)

    again = await client.post(path, headers=headers, json=body)

    assert (first.status_code, again.status_code) == (201, 201)
    assert again.headers["Idempotent-Replayed"] == "true"
    entries = await (await client.get(LOG, headers=owner.auth)).get_json()
    assert [entry["action"] for entry in entries["data"]] == ["post_restaurants_id_menu_categories"]
