"""The list of an owner's entitlements."""

import pytest
from comanda_entitlements import api


@pytest.fixture
def read(client, owner):
    """Return a function that returns the owner's entitlements by feature."""

    async def send(headers=None):
        response = await client.get("/api/v1/entitlements?per_page=100", headers=headers or owner.auth)
        document = await response.get_json()
        assert response.status_code == 200, document
        assert document["total"] == len(document["data"])
        return {each.pop("feature_key"): each for each in document["data"]}

    return send


async def test_owner_without_a_plan_has_everything(read, store):
    await store.item()

    found = await read()

    assert list(found) == sorted(found)
    assert {each["granted"] for each in found.values()} == {True}
    assert {each["quota"] for each in found.values()} == {None}
    assert found["crm_suite"] == {
        "label": "CRM suite", "granted": True, "quota": None, "quota_unit": None, "used": None, "sources": [],
    }  # fmt: skip
    used = {key: found[key]["used"] for key in ("stores", "items", "staff", "orders_per_month")}
    assert used == {"stores": 1, "items": 1, "staff": 0, "orders_per_month": 0}


async def test_plan_and_addition_are_listed_as_sources(read, owner, plan):
    await plan(stores=2, webhooks=5)
    await api.set_source(owner.id, "add_on", "more", {"stores": 9, "app:loyalty": None})

    found = await read()

    assert found["stores"] == {
        "label": "Stores", "granted": True, "quota": 9, "quota_unit": "stores", "used": 0,
        "sources": [
            {"source_type": "add_on", "source_id": "more", "quota": 9, "expires_at": None},
            {"source_type": "plan", "source_id": "pro", "quota": 2, "expires_at": None},
        ],
    }  # fmt: skip
    assert (found["crm_suite"]["granted"], found["crm_suite"]["sources"]) == (False, [])
    assert (found["items"]["granted"], found["items"]["quota"]) == (True, None)
    assert found["app:loyalty"]["label"] == "app:loyalty"


async def test_orders_of_this_month_are_counted(read, store, plan):
    item = await store.item()
    order = {"item_id": item["id"], "quantity": 1}
    await store.order(order)
    await plan(orders_per_month=10)
    before = (await read())["orders_per_month"]["used"]
    await store.order(order)

    assert (before, (await read())["orders_per_month"]["used"]) == (1, 2)


async def test_scope_is_required(client, owner):
    response = await client.get("/api/v1/entitlements", headers=await owner.token_with("orders:read"))

    assert response.status_code == 403
    assert (await response.get_json())["required"] == "entitlements:read"


@pytest.mark.parametrize("scope", ["entitlements:read", "read"])
async def test_scopes_that_read(read, owner, scope):
    assert await read(await owner.token_with(scope))


async def test_other_owner_sees_own_entitlements(read, owner, other_owner, plan):
    await plan()

    assert (await read(other_owner.auth))["crm_suite"]["granted"] is True
    assert (await read())["crm_suite"]["granted"] is False


async def test_pages(client, owner):
    response = await client.get("/api/v1/entitlements?per_page=2&page=2", headers=owner.auth)

    document = await response.get_json()
    assert (len(document["data"]), document["current_page"], document["per_page"]) == (2, 2, 2)
