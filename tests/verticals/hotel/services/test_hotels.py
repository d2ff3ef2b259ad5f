"""Stores as hotels."""

from comanda.platform.db import sql

from ..conftest import TODAY


async def test_store_without_rooms_has_no_hotel_routes(store):
    for path in ("/availability", "/room-types", "/rooms", "/stays"):
        reply = await store.send("GET", path)
        assert (reply.status, reply["code"], reply["reason"]) == (404, "not_found", "not_applicable")
    made = await store.send("POST", "/room-types", {"name": "Double", "base_price": 1, "max_adults": 2})
    assert (made.status, made["reason"]) == (404, "not_applicable")


async def test_store_token_only_reaches_its_hotel(client, owner, hotel):
    other = await owner.store("hotel")
    await sql.execute("UPDATE core_access_token SET store_id = $2 WHERE id = $1", owner.token_id, other)

    assert (await hotel.send("GET", "/stays")).status == 404
    assert (await client.get(f"/api/v1/restaurants/{other}/stays", headers=owner.auth)).status_code == 200


def test_today_is_a_wednesday():
    assert TODAY.weekday() == 2
