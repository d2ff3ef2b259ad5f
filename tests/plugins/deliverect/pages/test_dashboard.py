"""Deliverect in the dashboard."""

from tests.plugins.deliverect.fake_deliverect import WEBHOOK_SECRET, ordered


async def test_store_is_connected_and_disconnected(dashboard, owner, deliverect):
    path = f"/stores/{await owner.store()}/deliverect"
    client_id = deliverect.add_client()
    fields = {
        "account_id": "account-7",
        "location_id": "location-of-page",
        "client_id": client_id,
        "client_secret": deliverect.clients[client_id],
        "webhook_secret": WEBHOOK_SECRET,
    }

    await dashboard.post(path, fields)
    connected = await dashboard.get(path)
    await dashboard.post(f"{path}/delete", {})

    assert "location-of-page" in connected
    assert "/api/v1/deliverect/" in connected
    assert WEBHOOK_SECRET not in connected
    assert deliverect.clients[client_id] not in connected
    assert "location-of-page" not in await dashboard.get(path)


async def test_rejected_orders_are_listed_with_their_reason(dashboard, store):
    await store.receive(store.add_order(ordered("PIZZA", name="<b>Pizza</b>")))

    page = await dashboard.get(f"/stores/{store.id}/deliverect")

    assert "Rejected" in page
    assert "The menu has no item &lt;b&gt;Pizza&lt;/b&gt; with the reference PIZZA." in page


async def test_what_was_typed_stays_while_deliverect_does_not_answer(dashboard, owner, deliverect):
    path = f"/stores/{await owner.store()}/deliverect"
    fields = {
        "account_id": "account-8",
        "location_id": "kept-location",
        "client_id": "client-8",
        "client_secret": "secret-8",
    }
    await deliverect.stop()

    page = await dashboard.post(path, {**fields, "webhook_secret": WEBHOOK_SECRET}, status=422)

    assert "Deliverect could not be reached." in page
    assert 'value="kept-location"' in page


async def test_what_could_not_be_told_is_shown_in_words(dashboard, store):
    path = f"/stores/{store.id}/deliverect"
    await store.change(store.soup, is_sold_out=True)
    store.fake.failures = [503, 400]
    await store.tell()
    failing = await dashboard.get(path)

    await store.tell()
    refused = await dashboard.get(path)

    assert "What is sold out or paused could not be sent, and is sent again. Deliverect answered 503." in failing
    assert "Not working" in failing
    assert f"Deliverect does not take that these are sold out: {store.soup_ref}" in refused
    assert "Not working" not in refused
