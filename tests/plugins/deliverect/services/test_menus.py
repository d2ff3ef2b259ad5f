import pytest


async def send_menu(store):
    return await store.send("POST", "/deliverect/menu", {})


async def test_menu_arrives_with_plus_that_orders_name(store):
    groups = [{"name": "Sauce", "min": 1, "max": 2, "extras": [{"name": "Hot", "price": 0.5}]}]
    pizza = await store.item("Pizza", 4, extra_groups=groups)
    reply = await store.send("POST", f"/menu/items/{pizza['id']}/variants", {"name": "Small", "price": 4, "sku": "SM"})
    assert reply.status == 201, reply

    reply = await send_menu(store)

    assert reply.status == 204
    (sent,) = store.fake.menus
    assert (sent["accountId"], sent["locationId"]) == ("account-1", store.location)
    by_plu = {product["plu"]: product for product in sent["products"]}
    extra_id, group_id = (pizza["extra_groups"][0]["extras"][0]["id"], pizza["extra_groups"][0]["id"])
    assert set(by_plu) == {store.soup_ref, "SM", f"group-{group_id}", f"extra-{extra_id}"}
    small, group = by_plu["SM"], by_plu[f"group-{group_id}"]
    assert (small["name"], small["price"], small["subProducts"]) == ("Pizza Small", 400, [f"group-{group_id}"])
    assert (group["min"], group["max"], group["multiMax"], group["subProducts"]) == (1, 2, 1, [f"extra-{extra_id}"])
    assert by_plu[f"extra-{extra_id}"]["price"] == 50
    used = {id for product in sent["products"] for id in product.get("posCategoryIds", [])}
    assert used == {category["posCategoryId"] for category in sent["categories"]}


async def test_menu_of_a_store_without_connection_is_refused(store, client, owner):
    path = f"/api/v1/restaurants/{await owner.store()}/deliverect/menu"

    response = await client.post(path, headers=owner.auth)

    assert (response.status_code, (await response.get_json())["reason"]) == (409, "not_connected")


async def test_menu_of_another_owner_is_404(store, client, other_owner):
    response = await client.post(f"/api/v1/restaurants/{store.id}/deliverect/menu", headers=other_owner.auth)

    assert (response.status_code, store.fake.menus) == (404, [])


@pytest.mark.parametrize(("status", "answer"), [(422, 409), (500, 503), (401, 503)])
async def test_menu_that_deliverect_does_not_take_is_an_error(store, status, answer):
    store.fake.failures = [status]

    reply = await send_menu(store)

    assert (reply.status, store.fake.menus) == (answer, [])
