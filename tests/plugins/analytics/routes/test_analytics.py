"""Reports over HTTP: for owners and staff of the store, with the scope or permission."""

import pytest
from comanda.accounts import services as accounts
from comanda.devkit.testing import line
from comanda.platform import runtime

PATH = "/api/v1/restaurants/{}/analytics"


@pytest.fixture
def staff(owner, shop):
    """Return a function that issues a staff token and returns its header."""

    async def make(*permissions, store_id=shop.id):
        kind = runtime.registry().caller_kinds["staff"]
        issued = await accounts.issue_token(kind, owner.id, permissions, name="till", store_id=store_id, subject_id=1)
        return {"Authorization": f"Bearer {issued.secret}"}

    return make


async def test_store_of_other_owner_returns_404(client, shop, other_owner):
    for query in ("", "?from=2030-05-16", "?by_day=true"):
        assert (await client.get(PATH.format(shop.id) + query, headers=other_owner.auth)).status_code == 404
    assert (await client.get(PATH.format(987654321), headers=shop.owner.auth)).status_code == 404


async def test_owner_requires_scope(client, shop):
    for scopes, status in ((("analytics:read",), 200), (("read",), 200), (("orders:read", "menu:write"), 403)):
        auth = await shop.owner.token_with(*scopes)
        assert (await client.get(PATH.format(shop.id), headers=auth)).status_code == status
    assert (await client.get(PATH.format(shop.id))).status_code == 401


async def test_report_excludes_orders_of_other_stores(client, owner, other_owner, shop, prepare_totals):
    await shop.place_order(line(shop.soup))
    mine = type(shop)(client, owner, await owner.store())
    theirs = type(shop)(client, other_owner, await other_owner.store())
    for other in (mine, theirs):
        await other.place_order(line(await other.item("Tea", 1), 5))
    await prepare_totals()

    assert (await shop.report())["revenue"]["gross"] == 10
    assert [item["name"] for item in (await shop.report())["top_items"]] == ["Soup"]
    assert (await theirs.report())["revenue"]["gross"] == 5


async def test_staff_get_report_of_their_store(client, owner, shop, staff):
    await shop.place_order(line(shop.soup, 2))
    other = type(shop)(client, owner, await owner.store())
    await other.place_order(line(await other.item("Tea", 1)))

    query = "from=2030-05-01&by_day=true&compare=true"
    response = await client.get(f"/api/v1/staff/analytics?{query}", headers=await staff("analytics"))

    assert response.status_code == 200
    assert await response.get_json() == await shop.report(query)


async def test_staff_require_permission(client, shop, staff):
    for permissions, status in ((("orders", "kds"), 403), (("analytics",), 200)):
        response = await client.get("/api/v1/staff/analytics", headers=await staff(*permissions))
        assert response.status_code == status
    path = f"/api/v1/restaurants/{shop.id}/analytics"
    assert (await client.get(path, headers=await staff("analytics"))).status_code in {401, 403}
    assert (await client.get("/api/v1/staff/analytics", headers=shop.owner.auth)).status_code in {401, 403}


async def test_invalid_period_is_refused(client, staff):
    response = await client.get("/api/v1/staff/analytics?from=2031-01-01", headers=await staff("analytics"))

    assert response.status_code == 422
    assert list((await response.get_json())["errors"]) == ["from"]
