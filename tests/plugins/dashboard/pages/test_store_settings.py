"""Settings of a store in the dashboard."""

from io import BytesIO

from comanda.devkit.testing import sign_in
from photographs import picture
from werkzeug.datastructures import FileStorage


async def get_settings(store):
    return await store.get("/settings")


async def test_general_settings_are_shown_changed_and_cleared(dashboard, store):
    page = await dashboard.get(f"/stores/{store.id}/settings")
    fields = {
        "title": "Casa Nova",
        "phone": "+351210000000",
        "address": "",
        "timezone": "Europe/Lisbon",
        "country": "PT",
    }
    to = await dashboard.post(f"/stores/{store.id}/settings", {**fields, "is_published": "true", "is_listed": "false"})
    await dashboard.post(f"/stores/{store.id}/settings", {**fields, "phone": ""})
    settings = await get_settings(store)

    assert "<title>Settings" in page
    assert to == f"/stores/{store.id}/settings"
    assert (settings["title"], settings["phone"], settings["country"]) == ("Casa Nova", "", "PT")
    assert (settings["is_published"], settings["is_listed"]) == (True, False)


async def test_wrong_fields_keep_their_values_and_say_why(dashboard, store):
    page = await dashboard.post(
        f"/stores/{store.id}/settings/taxes", {"tax_rate": "130", "cash_rounding": "0.05"}, status=422
    )

    assert 'value="130"' in page
    assert 'value="0.05"' in page
    assert 'aria-invalid="true"' in page
    assert (await get_settings(store))["cash_rounding"] == 0


async def test_taxes_by_mode_are_saved_and_emptied(dashboard, store):
    path = f"/stores/{store.id}/settings/taxes"
    await dashboard.post(path, {"tax_rate": "13,5", "mode_tax_rates.takeaway": "6", "service_charge_modes": "on-table"})
    first = await get_settings(store)
    await dashboard.post(path, {"tax_rate": "", "mode_tax_rates.takeaway": "", "service_charge_modes": ""})
    second = await get_settings(store)

    assert (first["tax_rate"], first["mode_tax_rates"]) == (13.5, {"takeaway": 6})
    assert first["service_charge_modes"] == ["on-table"]
    assert (second["tax_rate"], second["mode_tax_rates"], second["service_charge_modes"]) == (0, {}, [])


async def test_orders_can_be_slowed_down_and_resumed(dashboard, store):
    path = f"/stores/{store.id}/settings/orders"
    refused = await dashboard.post(path, {"status": "busy", "delay_minutes": "", "until": "", "reason": ""}, status=422)
    await dashboard.post(path, {"status": "busy", "delay_minutes": "20", "until": "", "reason": "Rush"})
    busy = await dashboard.get(path)
    await dashboard.post(path, {"status": "online"})

    assert "by how many minutes" in refused
    assert "20 minutes longer" in busy
    assert "Rush" in busy
    assert "Rush" not in await dashboard.get(path)


async def test_the_logo_is_uploaded_shown_and_removed(dashboard, store):
    path = f"/stores/{store.id}/settings"
    response = await dashboard.client.post(
        f"/dashboard{path}/pictures/logo", form={"csrf_token": dashboard.csrf_token},
        files={"photo": FileStorage(BytesIO(picture()), "logo.png")},
    )  # fmt: skip
    url = (await get_settings(store))["logo_url"]
    shown = await dashboard.get(path)
    to = await dashboard.post(f"{path}/pictures/logo/remove")

    assert response.headers["Location"] == f"/dashboard{path}#pictures"
    assert f'src="{url}"' in shown
    assert to == f"{path}#pictures"
    assert (await get_settings(store))["logo_url"] is None


async def test_people_without_the_scope_do_not_come_in(app, owner, store):
    cook = await sign_in(app, owner.id, scopes=["orders:read"])

    await cook.get(f"/stores/{store.id}/settings", status=403)
    assert "/settings" not in await cook.get(f"/stores/{store.id}/orders")


async def test_stores_of_others_are_not_found(app, other_owner, store):
    stranger = await sign_in(app, other_owner.id)

    for page in ("", "/taxes", "/orders", "/hours", "/plugins/shipping"):
        await stranger.get(f"/stores/{store.id}/settings{page}", status=404)
