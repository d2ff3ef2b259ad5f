"""Coupons in the dashboard."""

from comanda.devkit.testing import sign_in

TEN = {"code": "TEN", "type": "percentage", "value": "10", "is_active": "true"}


async def get_coupon(store):
    return (await store.get("/coupons"))["data"][0]


async def test_coupon_is_created_changed_switched_off_and_deleted(dashboard, store):
    path = f"/stores/{store.id}/coupons"
    assert "No coupons yet" in await dashboard.get(path)

    await dashboard.post(f"{path}/new", {**TEN, "usage_limit": "5", "modes": ["", "takeaway"]})
    created = await get_coupon(store)
    listed = await dashboard.get(f"{path}?search=te")
    one = f"{path}/{created['id']}"
    await dashboard.post(one, {**TEN, "value": "12,5", "usage_limit": "", "modes": ""})
    changed = await get_coupon(store)
    await dashboard.post(f"{one}/active", {"is_active": "false"})

    assert (created["value"], created["usage_limit"], created["modes"]) == (10, 5, ["takeaway"])
    assert "0 of 5" in listed
    assert (changed["value"], changed["usage_limit"], changed["modes"]) == (12.5, None, [])
    assert "Switched off" in await dashboard.get(one)
    assert "No coupons match" in await dashboard.get(f"{path}?is_active=true")
    await dashboard.post(f"{one}/delete")
    assert (await store.get("/coupons"))["data"] == []


async def test_wrong_coupon_is_refused_beside_the_field_and_keeps_its_values(dashboard, store):
    path = f"/stores/{store.id}/coupons"
    page = await dashboard.post(f"{path}/new", {**TEN, "code": "X!", "usage_limit": "7"}, status=422)
    assert 'value="X!"' in page
    assert 'value="7"' in page
    assert "3 to 32 letters A to Z" in page

    await dashboard.post(f"{path}/new", TEN)
    one = f"{path}/{(await get_coupon(store))['id']}"
    await dashboard.post(one, {**TEN, "code": ""}, status=422)
    assert (await get_coupon(store))["code"] == "TEN"


async def test_coupon_keeps_an_item_that_was_deleted(dashboard, store):
    soup = (await store.item("Soup"))["id"]
    path = f"/stores/{store.id}/coupons"
    await dashboard.post(f"{path}/new", {**TEN, "item_ids": ["", str(soup)]})
    one = f"{path}/{(await get_coupon(store))['id']}"
    assert "Soup" in await dashboard.get(one)
    await store.send("DELETE", f"/menu/items/{soup}")

    assert f"Deleted ({soup})" in await dashboard.get(one)
    await dashboard.post(one, {**TEN, "value": "20", "item_ids": ["", str(soup)]})

    assert (await get_coupon(store))["item_ids"] == [soup]


async def test_coupons_are_shown_to_those_who_see_orders_and_changed_by_those_who_change_them(app, owner, store):
    path = f"/stores/{store.id}/coupons"
    reader = await sign_in(app, owner.id, scopes={"orders:read"})

    assert "New coupon" not in await reader.get(path)
    await reader.get(f"{path}/new", status=403)
    await reader.post(f"{path}/new", TEN, status=403)
    await reader.get(f"{path}/999999", status=404)
    cook = await sign_in(app, owner.id, scopes={"menu:read"})
    assert path not in await cook.get(f"/stores/{store.id}")
