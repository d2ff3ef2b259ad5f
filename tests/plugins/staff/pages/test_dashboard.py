"""Members of staff in the dashboard."""

from comanda.devkit.testing import sign_in

MARTA = {"name": "Marta Reis", "role": "cashier", "pin": "4829", "is_active": "true"}


async def get_member(store):
    return (await store.get("/staff"))["data"][0]


async def test_member_is_created_changed_and_deleted(dashboard, store):
    path = f"/stores/{store.id}/staff"
    assert "No staff yet" in await dashboard.get(path)

    await dashboard.post(f"{path}/new", {**MARTA, "_may_customers": "deny", "_may_analytics": "grant"})
    created = await get_member(store)
    one = f"{path}/{created['id']}"
    detail = await dashboard.get(one)
    await dashboard.post(one, {**MARTA, "name": "Marta R.", "role": "waiter", "pin": "", "is_active": "false"})
    changed = await get_member(store)

    assert created["permissions"] == ["orders", "coupons", "analytics"]
    assert "Give discounts and refunds" in detail
    assert "4829" not in detail
    assert (changed["name"], changed["role"], changed["grants"], changed["denials"]) == ("Marta R.", "waiter", [], [])
    assert (changed["has_pin"], changed["is_active"]) == (True, False)
    assert "Inactive" in await dashboard.get(path)
    await dashboard.post(f"{one}/delete")
    assert (await store.get("/staff"))["data"] == []


async def test_wrong_member_is_refused_beside_the_field_without_showing_the_pin(dashboard, store):
    page = await dashboard.post(f"/stores/{store.id}/staff/new", {**MARTA, "pin": "77x", "name": "Rui"}, status=422)

    assert 'value="Rui"' in page
    assert "must have 4 to 8 digits" in page.lower()
    assert "77x" not in page


async def test_pin_is_removed_only_beside_a_password(dashboard, store, create_member):
    person = await create_member("waiter", pin="7391")
    path = f"/stores/{store.id}/staff"

    await dashboard.post(f"{path}/{person.id}/remove-pin")
    assert (await get_member(store))["has_pin"] is False
    await dashboard.post(f"{path}/{person.id}/reset-2fa")
    await dashboard.get(f"{path}/999999", status=404)


async def test_changes_need_the_scope_and_a_recent_sign_in(app, owner, dashboard, store, clock):
    path = f"/stores/{store.id}/staff"
    reader = await sign_in(app, owner.id, scopes={"restaurants:read"})
    assert "New member" not in await reader.get(path)
    await reader.post(f"{path}/new", MARTA, status=403)

    clock.advance(minutes=11)
    page = await dashboard.post(f"{path}/new", MARTA, status=403)

    assert "/sign-in/confirm" in page
    assert (await store.get("/staff"))["data"] == []
