"""Loyalty in the dashboard."""

import pytest


@pytest.fixture
def path(store):
    return f"/stores/{store.id}/loyalty"


async def test_programme_and_rewards_are_managed(dashboard, store, path, soup):
    assert "No rewards yet" in await dashboard.get(path)
    fields = {"is_on": "true", "earn_by": "order", "points": "1", "min_order": "7,50", "expires_after_months": ""}
    assert await dashboard.post(path, fields) == path
    page = await dashboard.get(path)
    assert 'value="7.50"' in page

    reward = {"name": "Soup", "type": "item", "value": "", "item_id": str(soup["id"]), "points": "10"}
    assert await dashboard.post(f"{path}/rewards/new", {**reward, "is_active": "true"}) == path
    (made,) = (await store.get("/loyalty/rewards"))["data"]
    one = f"{path}/rewards/{made['id']}"
    assert "Free item" in await dashboard.get(path)

    changed = {"name": "A tenth", "type": "percentage", "value": "12.5", "item_id": "", "points": "20"}
    changed["is_active"] = "false"
    assert await dashboard.post(one, changed) == path
    assert 'value="12.5"' in await dashboard.get(one)
    (made,) = (await store.get("/loyalty/rewards"))["data"]
    assert (made["type"], made["value"], made["points"], made["is_active"]) == ("percentage", 12.5, 20, False)

    assert await dashboard.post(f"{one}/delete", {}) == path
    assert (await store.get("/loyalty/rewards"))["total"] == 0


async def test_refused_forms_change_nothing(dashboard, store, path):
    assert 'aria-invalid="true"' in await dashboard.post(path, {"earn_by": "order", "points": "0"}, status=422)
    reward = {"name": "", "type": "fixed", "value": "1", "points": "5"}
    assert 'aria-invalid="true"' in await dashboard.post(f"{path}/rewards/new", reward, status=422)

    assert (await store.get("/loyalty"))["is_on"] is False
    assert (await store.get("/loyalty/rewards"))["total"] == 0


async def test_points_are_adjusted_on_the_page_of_a_customer(dashboard, store, path, ada, programme):
    one = f"{path}/customers/{ada.id}"
    assert f'href="/dashboard{one}"' in await dashboard.get(f"/stores/{store.id}/customers/{ada.id}")
    assert "This customer has not collected points yet." in await dashboard.get(one)
    assert "Points of Ada" in await dashboard.get(f"{one}/new")

    assert await dashboard.post(f"{one}/new", {"points": "50", "reason": "Cold soup"}) == one
    refused = await dashboard.post(f"{one}/new", {"points": "-51", "reason": "x"}, status=422)

    assert 'aria-invalid="true"' in refused
    assert "Cold soup" in await dashboard.get(one)
    assert await ada.entries() == [("adjust", 50)]


async def test_customer_has_no_panel_without_a_programme(dashboard, store, path, ada):
    assert f"{path}/customers/{ada.id}" not in await dashboard.get(f"/stores/{store.id}/customers/{ada.id}")


async def test_customer_of_another_store_looks_missing(dashboard, open_store, ada):
    other = f"/stores/{(await open_store('restaurant')).id}/loyalty/customers/{ada.id}"

    await dashboard.get(other, status=404)
    await dashboard.post(f"{other}/new", {"points": "5", "reason": "x"}, status=404)
    assert await ada.entries() == []
