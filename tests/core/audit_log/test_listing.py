"""What an owner reads in the audit log."""

from datetime import UTC, datetime, timedelta

import pytest
from comanda import clock
from comanda.accounts import services as accounts
from comanda.audit_log import retention
from comanda.audit_log.entries import stored_address
from comanda.contracts.routes import API_PREFIX
from comanda.db import sql
from comanda_staff.kinds import STAFF
from comanda_staff.models import Member
from route_requests import everything_of

LOG = f"{API_PREFIX}/audit-log"


async def add_category(client, auth, store_id, name="Soups"):
    path = f"{API_PREFIX}/restaurants/{store_id}/menu/categories"
    response = await client.post(path, headers=auth, json={"name": name})
    return (await response.get_json())["id"]


async def entries(client, auth, **query):
    response = await client.get(LOG, headers=auth, query_string=query)
    page = await response.get_json()
    assert response.status_code == 200, page
    return page


async def test_an_entry_says_who_what_when_and_from_where(client, owner):
    store_id = await owner.store()
    headers = {**owner.auth, "X-Request-Id": "till-7"}
    before = datetime.now(UTC)

    category_id = await add_category(client, headers, store_id)

    (entry,) = (await entries(client, owner.auth))["data"]
    assert before - timedelta(seconds=5) <= datetime.fromisoformat(entry.pop("occurred_at"))
    assert isinstance(entry.pop("id"), int)
    assert entry == {
        "actor": {"kind": "owner", "id": owner.id, "name": "Test Owner"},
        "token": {"id": owner.token_id, "name": "test"},
        "action": "post_restaurants_id_menu_categories",
        "restaurant_id": store_id,
        "before_ids": {"restaurant_id": store_id},
        "after_ids": {"restaurant_id": store_id, "id": category_id},
        "outcome": "ok",
        "address": "local",
        "request_id": "till-7",
    }


async def test_entries_come_newest_first_thirty_a_page(client, owner):
    store_id = await owner.store()
    made = [await add_category(client, owner.auth, store_id) for _ in range(32)]

    first, second = await entries(client, owner.auth), await entries(client, owner.auth, page=2)

    listed = [entry["after_ids"]["id"] for entry in first["data"] + second["data"]]
    assert listed == made[::-1]
    assert {name: first[name] for name in ("total", "per_page", "last_page")} == {
        "total": 32, "per_page": 30, "last_page": 2,
    }  # fmt: skip


async def test_filters_narrow_the_list(client, owner):
    here, there = await owner.store(), await owner.store()
    await add_category(client, owner.auth, here)
    category_id = await add_category(client, owner.auth, there)
    path = f"{API_PREFIX}/restaurants/{there}/menu/categories/{category_id}"
    await client.delete(path, headers=owner.auth)
    deletion = {"action": "delete_restaurants_id_menu_categories_categoryId"}
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).isoformat()

    async def count(**query):
        return (await entries(client, owner.auth, **query))["total"]

    assert await count() == 3
    assert await count(restaurant_id=there) == 2
    assert await count(**deletion) == 1
    assert await count(restaurant_id=here, **deletion) == 0
    assert await count(actor_kind="owner") == 3
    assert await count(actor_kind="staff") == 0
    assert await count(to=tomorrow) == 3
    assert await count(**{"from": tomorrow}) == 0


async def test_a_deleted_thing_is_before_and_not_after(client, owner):
    store_id = await owner.store()
    category_id = await add_category(client, owner.auth, store_id)

    await client.delete(f"{API_PREFIX}/restaurants/{store_id}/menu/categories/{category_id}", headers=owner.auth)

    entry = (await entries(client, owner.auth))["data"][0]
    assert entry["before_ids"] == {"restaurant_id": store_id, "category_id": category_id}
    assert entry["after_ids"] == {"restaurant_id": store_id}


async def test_another_owner_sees_nothing_of_it(client, owner, other_owner):
    store_id = await owner.store()
    await add_category(client, owner.auth, store_id)

    assert (await entries(client, other_owner.auth))["data"] == []
    assert (await entries(client, other_owner.auth, restaurant_id=store_id))["data"] == []


async def test_the_scope_is_that_of_reading_restaurants(client, owner):
    refused = await client.get(LOG, headers=await owner.token_with("orders:read"))
    allowed = await client.get(LOG, headers=await owner.token_with("restaurants:read"))

    assert (refused.status_code, (await refused.get_json())["required"]) == (403, "restaurants:read")
    assert allowed.status_code == 200


@pytest.mark.parametrize("query", [{"from": "soon"}, {"to": "2026-13-01"}, {"restaurant_id": "x"}, {"from": "\x00"}])
async def test_a_filter_that_cannot_be_read_is_422(client, owner, query):
    response = await client.get(LOG, headers=owner.auth, query_string=query)

    assert response.status_code == 422
    assert list((await response.get_json())["errors"]) == list(query)


async def staff_of(client, owner, store_id, name="Marta Pinto"):
    path = f"{API_PREFIX}/restaurants/{store_id}/staff"
    body = {"name": name, "role": "manager", "pin": "481516"}
    staff_id = (await (await client.post(path, headers=owner.auth, json=body)).get_json())["id"]
    issued = await accounts.issue_token(STAFF, owner.id, ["*"], name="Till 2", store_id=store_id, subject_id=staff_id)
    return staff_id, {"Authorization": f"Bearer {issued.secret}"}


async def test_a_member_of_staff_is_named_for_as_long_as_they_are_known(client, owner):
    store_id = await owner.store()
    staff_id, auth = await staff_of(client, owner, store_id)
    made = await client.post(f"{API_PREFIX}/staff/menu/categories", headers=auth, json={"name": "Soups"})
    assert made.status_code == 201

    (entry,) = (await entries(client, owner.auth, actor_kind="staff"))["data"]
    assert entry["actor"] == {"kind": "staff", "id": staff_id, "name": "Marta Pinto"}
    assert entry["token"]["name"] == "Till 2"
    assert entry["restaurant_id"] == store_id

    # Nothing but the member's own row has the name, so whoever is deleted there is nameless here.
    stored = await everything_of(owner, but={"staff_member"})
    assert "Marta" not in str(stored["core_audit_entry"])
    await Member.filter(id=staff_id, owner_id=owner.id).delete()
    (entry,) = (await entries(client, owner.auth, actor_kind="staff"))["data"]
    assert entry["actor"] == {"kind": "staff", "id": staff_id, "name": None}


def test_of_a_guests_address_the_network_alone_is_kept():
    assert stored_address("203.0.113.77", is_public=True) == "203.0.113.0/24"
    assert stored_address("2001:db8:1:2::3", is_public=True) == "2001:db8:1::/48"
    assert stored_address("local", is_public=True) == "unknown"
    assert stored_address("203.0.113.77", is_public=False) == "203.0.113.77"


async def test_entries_are_deleted_when_their_time_is_over(client, owner, other_owner, monkeypatch):
    monkeypatch.setattr(retention, "BATCH_SIZE", 2)
    store_id = await owner.store()
    for _ in range(5):
        await add_category(client, owner.auth, store_id)
    await add_category(client, other_owner.auth, await other_owner.store())
    old = clock.now() - timedelta(days=401)
    await sql.execute(
        """UPDATE core_audit_entry SET occurred_at = $2 WHERE owner_id = $1 AND id NOT IN (
             SELECT max(id) FROM core_audit_entry WHERE owner_id = $1)""",
        owner.id, old,
    )  # fmt: skip

    await retention.prune()

    assert (await entries(client, owner.auth))["total"] == 1
    assert (await entries(client, other_owner.auth))["total"] == 1
