import pytest
from comanda.platform.db import sql

from tests.plugins.hubrise.fake_hubrise import SECRET


async def test_connection_does_not_return_its_credentials(store):
    found = await store.get("/hubrise")

    assert found["location_name"] == "Bella Pizza"
    assert store.location.token not in str(found.document)
    stored = await sql.fetch_value("SELECT credentials FROM hubrise_connection WHERE store_id = $1", store.id)
    assert store.location.token not in stored
    assert SECRET not in stored


async def test_store_without_connection_has_no_location(client, owner, hubrise):
    path = f"/api/v1/restaurants/{await owner.store()}/hubrise"

    found = await client.get(path, headers=owner.auth)
    deleted = await client.delete(path, headers=owner.auth)

    assert (found.status_code, (await found.get_json())["location_id"]) == (200, None)
    assert deleted.status_code == 204


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
async def test_store_of_another_owner_is_404(store, client, other_owner, method):
    path = f"/api/v1/restaurants/{store.id}/hubrise"

    response = await client.open(path, method=method, headers=other_owner.auth, json={"access_token": "stolen-token"})

    assert response.status_code == 404
    assert (await store.get("/hubrise"))["location_id"] == store.location.id


async def test_orders_of_another_owner_are_404(store, client, other_owner):
    response = await client.get(f"/api/v1/restaurants/{store.id}/hubrise/orders", headers=other_owner.auth)

    assert response.status_code == 404


async def test_refused_token_is_422(store):
    reply = await store.send("PUT", "/hubrise", {"access_token": "unknown-token"})

    assert reply.errors == {"access_token": ["HubRise refuses this access token."]}
    assert (await store.get("/hubrise"))["location_id"] == store.location.id


async def test_hubrise_that_does_not_answer_is_503(store):
    store.fake.failures = [500]

    reply = await store.send("PUT", "/hubrise", {"access_token": store.location.token})

    assert reply.status == 503


async def test_sending_needs_a_catalog(store):
    reply = await store.send("PUT", "/hubrise", {"sends_menu": True})

    assert list(reply.errors) == ["catalog_id"]


async def test_first_connection_needs_token_and_secret(client, owner, hubrise):
    store_id = await owner.store()
    path = f"/api/v1/restaurants/{store_id}/hubrise"
    location = hubrise.add_location()

    without_token = await client.put(path, headers=owner.auth, json={"client_secret": SECRET})
    without_secret = await client.put(path, headers=owner.auth, json={"access_token": location.token})

    assert list((await without_token.get_json())["errors"]) == ["access_token"]
    assert list((await without_secret.get_json())["errors"]) == ["client_secret"]


async def test_location_has_one_store_of_an_owner(store, client, owner):
    other_id = await owner.store()
    body = {"access_token": store.location.token, "client_secret": SECRET}

    response = await client.put(f"/api/v1/restaurants/{other_id}/hubrise", headers=owner.auth, json=body)

    assert response.status_code == 409
    assert (await response.get_json())["reason"] == "location_connected"


async def test_disconnected_store_is_not_called_any_more(store, soup_order):
    await store.receive(soup_order)

    reply = await store.send("DELETE", "/hubrise")

    assert reply.status == 204
    assert (await store.call_back(soup_order)).status_code == 404
    assert await store.count_orders() == 1


async def test_orders_are_listed_by_state(store, soup_order):
    await store.receive(soup_order)
    await store.receive(store.add_order())

    placed = (await store.get("/hubrise/orders?state=placed"))["data"]
    rejected = (await store.get("/hubrise/orders?state=rejected"))["data"]

    assert [each["hubrise_id"] for each in placed] == [soup_order["id"]]
    assert [each["reason"] for each in rejected] == ["The order has no items."]
