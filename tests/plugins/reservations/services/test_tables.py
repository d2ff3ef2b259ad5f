"""The tables of a store."""

import asyncio


async def test_table_is_not_deleted_while_being_reserved(restaurant):
    made = await restaurant.create_table("1")

    reserved, removed = await asyncio.gather(
        restaurant.request_reservation(table_numbers=["1"]), restaurant.store.send("DELETE", f"/tables/{made['id']}")
    )

    assert (reserved.status, removed.status) in {(201, 409), (422, 204)}


async def test_concurrent_creations_keep_number_unique(restaurant):
    body = {"number": "1", "seats": 2}

    replies = await asyncio.gather(*(restaurant.store.send("POST", "/tables", body) for _ in range(5)))

    assert sorted(reply.status for reply in replies) == [201, 422, 422, 422, 422]


async def test_renamed_table_keeps_its_reservations(restaurant):
    made = await restaurant.create_table("1")
    over, reserved = await restaurant.create_reservation(hours=2), await restaurant.create_reservation(hours=6)
    await restaurant.update_status(over, "cancelled")
    path = f"/tables/{made['id']}"

    removed = await restaurant.store.send("DELETE", path)
    await restaurant.store.send("PUT", path, {"number": "Window"})

    assert (removed.status, removed["reason"]) == (409, "reserved")
    assert (await restaurant.get_reservation(reserved))["table_numbers"] == ["Window"]
    assert (await restaurant.get_reservation(over))["table_numbers"] == ["1"]


async def test_table_with_expired_reservation_can_be_deleted(restaurant, noon):
    made = await restaurant.create_table("1")
    forgotten = await restaurant.create_reservation()
    noon.advance(days=1)

    assert (await restaurant.store.send("DELETE", f"/tables/{made['id']}")).status == 204
    assert (await restaurant.get_reservation(forgotten))["table_numbers"] == ["1"]


async def test_inactive_table_keeps_its_reservations_only(restaurant):
    made = await restaurant.create_table("1")
    reserved = await restaurant.create_reservation()
    await restaurant.store.send("PUT", f"/tables/{made['id']}", {"is_active": False})

    refused = await restaurant.request_reservation(hours=9)

    assert list(refused.errors) == ["party_size"]
    assert await restaurant.list_seatings() == [(reserved["id"], "1")]


async def test_store_can_have_200_tables(restaurant, monkeypatch):
    monkeypatch.setattr("comanda_reservations.services.tables.MAX_TABLES", 1)
    await restaurant.create_table("1")

    reply = await restaurant.store.send("POST", "/tables", {"number": "2", "seats": 2})

    assert (reply.status, reply["limits"]) == (409, {"tables": 1})
    assert (await restaurant.store.get("/tables"))["total"] == 1
