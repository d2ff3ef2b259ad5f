"""Promotions in the dashboard."""

import re
from datetime import datetime, timedelta

from comanda.devkit.testing import sign_in

HAPPY_HOUR = {
    "name": "Happy hour", "type": "percentage", "value": "20", "is_active": "true",
    "valid_at.0.days": ["", "fri", "sat"], "valid_at.0.from": "22:00", "valid_at.0.until": "01:00",
}  # fmt: skip
WEDNESDAY = 2


async def get_promotion(store):
    return (await store.get("/promotions"))["data"][0]


async def test_promotion_is_created_changed_switched_off_and_deleted(dashboard, store):
    path = f"/stores/{store.id}/promotions"
    assert "No promotions yet" in await dashboard.get(path)

    await dashboard.post(f"{path}/new", {**HAPPY_HOUR, "modes": ["", "takeaway"], "channels": ["", "staff"]})
    created = await get_promotion(store)
    one = f"{path}/{created['id']}"
    shown = await dashboard.get(one)
    changes = {"name": "Three for ten", "type": "bundle", "value": "10", "quantity": "3", "is_active": "true"}
    await dashboard.post(one, {**changes, "valid_at.0.days": "", "valid_at.0.from": "", "valid_at.0.until": ""})
    changed = await get_promotion(store)
    listed = await dashboard.get(path)
    await dashboard.post(f"{one}/active", {"is_active": "false"})

    assert created["valid_at"] == [{"days": ["fri", "sat"], "from": "22:00", "until": "01:00"}]
    assert (created["value"], created["modes"], created["channels"]) == (20, ["takeaway"], ["staff"])
    assert 'value="22:00"' in shown
    assert 'value="fri" checked' in shown
    assert (changed["type"], changed["value"], changed["quantity"], changed["valid_at"]) == ("bundle", 10, 3, [])
    assert "3 for €10.00" in listed
    assert "On now" in listed
    assert "Switched off" in await dashboard.get(one)
    assert "No promotions match" in await dashboard.get(f"{path}?is_active=true")
    await dashboard.post(f"{one}/delete")
    assert (await store.get("/promotions"))["data"] == []


async def test_days_without_times_hold_all_day_and_on_no_other(noon, dashboard, store):
    path = f"/stores/{store.id}/promotions"
    noon.set(noon() + timedelta(days=(WEDNESDAY - noon().weekday()) % 7))
    weekend = {"valid_at.0.days": ["", "sat", "sun"], "valid_at.0.from": "", "valid_at.0.until": ""}
    await dashboard.post(f"{path}/new", {**HAPPY_HOUR, **weekend})
    promotion = await get_promotion(store)
    opening = datetime.fromisoformat(promotion["changes_at"])

    assert promotion["valid_at"] == [{"days": ["sat", "sun"], "from": "00:00", "until": "00:00"}]
    assert not promotion["is_on"]
    assert f"{opening:%a %H:%M}" == "Sat 00:00"


async def test_list_says_when_a_promotion_ends_or_begins(noon, dashboard, store):
    path = f"/stores/{store.id}/promotions"
    await dashboard.post(f"{path}/new", {**HAPPY_HOUR, "valid_at.0.days": ""})
    before = await dashboard.get(path)
    noon.set(datetime.fromisoformat((await get_promotion(store))["changes_at"]))
    during = await dashboard.get(path)

    assert re.search(r"Not now.*Begins at [^<]*22:00", before, re.DOTALL)
    assert re.search(r"On now.*[^<]*01:00", during, re.DOTALL)


async def test_wrong_promotion_is_refused_beside_the_field_and_keeps_its_values(dashboard, store):
    path = f"/stores/{store.id}/promotions"

    page = await dashboard.post(f"{path}/new", {**HAPPY_HOUR, "type": "bundle", "budget": "50"}, status=422)

    assert 'value="50"' in page
    assert 'value="22:00"' in page
    assert 'value="sat" checked' in page
    assert page.count("This field is required.") == 1
    assert "A budget needs the highest discount of an order." in page
    assert (await store.get("/promotions"))["data"] == []


async def test_promotion_keeps_an_item_that_was_deleted(dashboard, store):
    soup = (await store.item("Soup"))["id"]
    path = f"/stores/{store.id}/promotions"
    await dashboard.post(f"{path}/new", {**HAPPY_HOUR, "item_ids": ["", str(soup)]})
    one = f"{path}/{(await get_promotion(store))['id']}"
    await store.send("DELETE", f"/menu/items/{soup}")

    assert f"Deleted ({soup})" in await dashboard.get(one)
    await dashboard.post(one, {**HAPPY_HOUR, "value": "25", "item_ids": ["", str(soup)]})

    saved = await get_promotion(store)
    assert (saved["value"], saved["item_ids"]) == (25, [soup])


async def test_promotions_are_changed_by_those_who_change_orders(app, owner, store):
    path = f"/stores/{store.id}/promotions"
    reader = await sign_in(app, owner.id, scopes={"orders:read"})

    assert "New promotion" not in await reader.get(path)
    await reader.get(f"{path}/new", status=403)
    await reader.post(f"{path}/new", HAPPY_HOUR, status=403)
    await reader.get(f"{path}/999999", status=404)
