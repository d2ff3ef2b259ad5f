"""Numbers of orders by status."""

from comanda.devkit.testing.stores import line


async def test_counts_are_those_of_the_stores_orders(store, open_store):
    other = await open_store("restaurant")
    soup = await store.item("Soup", 5)
    first, _ = await store.order(line(soup)), await store.order(line(soup))
    await store.set_status(first["id"], "cancelled")

    everything = (await store.send_to("/api/v1/order-counts")).document

    counted = {each["restaurant_id"]: each for each in everything["data"]}
    assert {name: counted[store.id][name] for name in ("new", "preparing", "cancelled", "day_orders")} == {
        "new": 1, "preparing": 0, "cancelled": 1, "day_orders": 2,
    }  # fmt: skip
    assert counted[store.id]["business_date"] == first["business_date"]
    assert (counted[other.id]["new"], counted[other.id]["business_date"]) == (0, None)
    one = (await store.send_to(f"/api/v1/order-counts?restaurant_id={other.id}")).document["data"]
    assert [each["restaurant_id"] for each in one] == [other.id]


async def test_counts_of_another_owners_store_are_not_there(client, other_owner, store):
    response = await client.get(f"/api/v1/order-counts?restaurant_id={store.id}", headers=other_owner.auth)

    assert (await response.get_json())["data"] == []
