"""Members of staff see the report of the store they work in."""

import pytest
from comanda import runtime
from comanda.accounts import services as accounts
from comanda.devkit.testing.stores import line


@pytest.fixture
def staff(owner, shop):
    """Make the token of a member of staff, and return its header."""

    async def make(*permissions, store_id=shop.id):
        kind = runtime.registry().caller_kinds["staff"]
        issued = await accounts.issue_token(kind, owner.id, permissions, name="till", store_id=store_id, subject_id=1)
        return {"Authorization": f"Bearer {issued.secret}"}

    return make


async def test_staff_see_what_the_owner_sees_of_their_store(client, owner, shop, staff):
    await shop.placed(line(shop.soup, 2))
    other = type(shop)(client, owner, await owner.store())
    await other.placed(line(await other.item("Tea", 1)))

    query = "from=2030-05-01&by_day=true&compare=true"
    response = await client.get(f"/api/v1/staff/analytics?{query}", headers=await staff("analytics"))

    assert response.status_code == 200
    assert await response.get_json() == await shop.report(query)


async def test_it_takes_the_permission(client, shop, staff):
    for permissions, status in ((("orders", "kds"), 403), (("analytics",), 200)):
        response = await client.get("/api/v1/staff/analytics", headers=await staff(*permissions))
        assert response.status_code == status
    path = f"/api/v1/restaurants/{shop.id}/analytics"
    assert (await client.get(path, headers=await staff("analytics"))).status_code in {401, 403}
    assert (await client.get("/api/v1/staff/analytics", headers=shop.owner.auth)).status_code in {401, 403}


async def test_a_range_that_is_none_is_refused(client, staff):
    response = await client.get("/api/v1/staff/analytics?from=2031-01-01", headers=await staff("analytics"))

    assert response.status_code == 422
    assert list((await response.get_json())["errors"]) == ["from"]
