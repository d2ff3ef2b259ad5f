from comanda.platform.db import sql


async def test_connection_does_not_return_its_secrets(store):
    found = await store.get("/deliverect")

    assert found["location_id"] == store.location
    stored = await sql.fetch_value("SELECT credentials FROM deliverect_connection WHERE store_id = $1", store.id)
    for name in ("client_id", "client_secret", "webhook_secret"):
        assert store.body[name] not in str(found.document)
        assert store.body[name] not in stored


async def test_connection_of_another_owner_takes_no_orders(store, client, other_owner, soup_order):
    store.orders_path = store.orders_path.replace(f"/{store.owner.id}/", f"/{other_owner.id}/")

    assert (await store.post(soup_order)).status_code == 404


async def test_refused_client_changes_nothing(store):
    reply = await store.send("PUT", "/deliverect", {**store.body, "location_id": "new", "client_secret": "wrong-one"})

    assert reply.errors == {"client_secret": ["Deliverect refuses this client."]}
    assert (await store.get("/deliverect"))["location_id"] == store.location


async def test_secrets_that_are_omitted_are_kept(store, soup_order):
    reply = await store.send("PUT", "/deliverect", {"account_id": "a2", "location_id": store.location})

    assert (reply.status, reply["account_id"]) == (200, "a2")
    assert (await store.receive(soup_order))["status"] == 20


async def test_first_connection_needs_all_secrets(client, owner, deliverect):
    path = f"/api/v1/restaurants/{await owner.store()}/deliverect"

    response = await client.put(path, headers=owner.auth, json={"account_id": "a1", "location_id": "l1"})

    assert list((await response.get_json())["errors"]) == ["client_id", "client_secret", "webhook_secret"]


async def test_location_has_one_store_of_an_owner(store, client, owner):
    path = f"/api/v1/restaurants/{await owner.store()}/deliverect"

    response = await client.put(path, headers=owner.auth, json=store.body)

    assert response.status_code == 409
    assert (await response.get_json())["reason"] == "location_connected"


async def test_disconnected_store_takes_no_orders_any_more(store, soup_order):
    await store.receive(soup_order)

    reply = await store.send("DELETE", "/deliverect")

    assert reply.status == 204
    assert (await store.post(soup_order)).status_code == 404
    assert await store.count_orders() == 1
