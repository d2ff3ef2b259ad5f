"""Occasions of a flower shop in the dashboard."""

OCCASION = {"recipient_name": "Ada", "what": "Birthday", "month": "12", "day": "10"}


async def test_occasion_is_created_and_listed(shop, dashboard):
    location = await dashboard.post(f"/stores/{shop.id}/occasions", OCCASION)

    assert location == f"/stores/{shop.id}/occasions"
    assert "Birthday" in await dashboard.get(location)


async def test_wrong_day_is_refused_beside_its_field(shop, dashboard):
    page = await dashboard.post(f"/stores/{shop.id}/occasions", {**OCCASION, "day": "40"}, status=422)

    assert 'value="40"' in page
    assert "No occasions yet." in page


async def test_shop_of_another_owner_is_missing(foreign_shop, dashboard):
    await dashboard.get(f"/stores/{foreign_shop.id}/occasions", status=404)
