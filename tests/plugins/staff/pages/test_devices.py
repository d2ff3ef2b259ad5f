"""Devices of staff in the dashboard."""


async def test_device_is_found_by_its_code_approved_and_revoked(dashboard, store, make_till):
    path = f"/stores/{store.id}/staff-devices"
    till = make_till()
    await till.request("Bar")

    shown = await dashboard.get(f"{path}?code={till.code}")
    await dashboard.post(f"{path}/approve", {"code": till.code})
    [device] = (await store.get("/staff-devices"))["data"]
    listed = await dashboard.get(path)
    await dashboard.post(f"{path}/{device['id']}/revoke")

    assert till.address in shown
    assert "Bar" in listed
    assert "No devices yet" in await dashboard.get(path)


async def test_unknown_code_is_refused_beside_the_field(dashboard, store):
    page = await dashboard.get(f"/stores/{store.id}/staff-devices?code=AAAA-AAAA", status=404)

    assert "No device shows this code." in page


async def test_pins_are_restricted_to_approved_devices(dashboard, store):
    path = f"/stores/{store.id}/staff-devices"

    await dashboard.post(f"{path}/policy", {"enrolled_devices_only": "true"})

    assert "from approved devices only." in await dashboard.get(path)
