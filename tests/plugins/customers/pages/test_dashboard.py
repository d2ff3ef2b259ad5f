"""Customers in the dashboard."""

from comanda.devkit.testing import sign_in

EVE = {"name": "Ève Gonçalves", "email": "eve@example.com", "phone": ""}


async def test_customer_is_created_found_changed_exported_and_erased(dashboard, store, order, assign_to_customer):
    path = f"/stores/{store.id}/customers"
    assert "No customers yet" in await dashboard.get(path)

    one = await dashboard.post(f"{path}/new", {**EVE, "consents.marketing_email": "true"})
    await order(soups=7)
    await assign_to_customer(await order(soups=3), int(one.rpartition("/")[2]))
    detail = await dashboard.get(one)
    found = await dashboard.get(f"{path}?search=goncalves")
    await dashboard.post(f"{one}/edit", {**EVE, "email": "", "phone": "+351 912 345 678", "birthday": "1990-05-17"})
    changed = await dashboard.get(one)

    assert "#2" in detail
    assert "#1<" not in detail
    assert "€30.00" in detail
    assert "eve@example.com" in found
    assert "+351912345678" in changed
    assert "eve@example.com" not in changed
    assert "+351912345678" in await dashboard.get(f"{one}/export")
    await dashboard.post(f"{one}/erase")
    await dashboard.get(one, status=404)


async def test_wrong_customers_are_refused_beside_the_field(dashboard, store):
    path = f"/stores/{store.id}/customers"
    one = await dashboard.post(f"{path}/new", EVE)

    page = await dashboard.post(f"{path}/new", {**EVE, "name": "Adam"}, status=422)
    assert 'value="Adam"' in page
    assert "already has this email" in page
    await dashboard.post(f"{one}/edit", {**EVE, "name": ""}, status=422)
    page = await dashboard.post(f"{one}/edit", {**EVE, "email": ""}, status=422)
    assert page.count("An e-mail or a phone number is required.") == 2


async def test_customers_are_shown_to_those_who_may_see_them(app, owner, dashboard, store):
    path = f"/stores/{store.id}/customers"
    one = await dashboard.post(f"{path}/new", EVE)
    reader = await sign_in(app, owner.id, scopes={"customers:read"})
    page = await reader.get(one)

    assert "Erase customer" not in page
    assert "Latest orders" not in page
    await reader.post(f"{one}/erase", status=403)
    cook = await sign_in(app, owner.id, scopes={"menu:read"})
    assert path not in await cook.get(f"/stores/{store.id}")
