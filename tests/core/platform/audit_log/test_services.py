"""Listing of audit entries."""

from datetime import UTC, datetime, timedelta

from comanda.accounts import services as accounts
from comanda.contracts.requests.routes import API_PREFIX
from comanda_staff.caller_kinds import STAFF
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


async def test_entry_has_actor_action_time_and_address(client, owner):
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


async def test_entries_are_listed_newest_first(client, owner):
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


async def test_deleted_id_is_only_in_before_ids(client, owner):
    store_id = await owner.store()
    category_id = await add_category(client, owner.auth, store_id)

    await client.delete(f"{API_PREFIX}/restaurants/{store_id}/menu/categories/{category_id}", headers=owner.auth)

    entry = (await entries(client, owner.auth))["data"][0]
    assert entry["before_ids"] == {"restaurant_id": store_id, "category_id": category_id}
    assert entry["after_ids"] == {"restaurant_id": store_id}


async def test_entries_are_isolated_between_owners(client, owner, other_owner):
    store_id = await owner.store()
    await add_category(client, owner.auth, store_id)

    assert (await entries(client, other_owner.auth))["data"] == []
    assert (await entries(client, other_owner.auth, restaurant_id=store_id))["data"] == []


async def staff_of(client, owner, store_id, name="Marta Pinto"):
    path = f"{API_PREFIX}/restaurants/{store_id}/staff"
    body = {"name": name, "role": "manager", "pin": "481516"}
    staff_id = (await (await client.post(path, headers=owner.auth, json=body)).get_json())["id"]
    issued = await accounts.issue_token(STAFF, owner.id, ["*"], name="Till 2", store_id=store_id, subject_id=staff_id)
    return staff_id, {"Authorization": f"Bearer {issued.secret}"}


async def test_deleted_staff_member_has_no_name(client, owner):
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
