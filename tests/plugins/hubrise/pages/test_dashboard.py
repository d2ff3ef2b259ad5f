"""HubRise in the dashboard."""

from tests.plugins.hubrise.fake_hubrise import SECRET, ordered


async def test_store_is_connected_and_disconnected(dashboard, owner, hubrise):
    store_id = await owner.store()
    location = hubrise.add_location()
    path = f"/stores/{store_id}/hubrise"
    fields = {"access_token": location.token, "client_secret": SECRET, "sends_menu": "false", "cash_refs.0": "BAR"}

    await dashboard.post(path, fields)
    connected = await dashboard.get(path)
    await dashboard.post(f"{path}/delete", {})

    assert "Bella Pizza" in connected
    assert 'value="BAR"' in connected
    assert location.token not in connected
    assert SECRET not in connected
    assert f'action="/dashboard{path}/delete"' in connected
    assert "Bella Pizza" not in await dashboard.get(path)


async def test_refused_token_is_explained_beside_its_field(dashboard, owner, hubrise):
    path = f"/stores/{await owner.store()}/hubrise"

    page = await dashboard.post(path, {"access_token": "unknown-token", "client_secret": SECRET}, status=422)

    assert "HubRise refuses this access token." in page
    assert "unknown-token" not in page


async def test_rejected_orders_are_listed_with_their_reason(dashboard, store):
    await store.receive(store.add_order(ordered("PIZZA", product_name="<b>Pizza</b>")))

    page = await dashboard.get(f"/stores/{store.id}/hubrise")

    assert "Rejected" in page
    assert "The menu has no item &lt;b&gt;Pizza&lt;/b&gt; with the reference PIZZA." in page
