"""Slots as customers see them."""

from comanda.platform.db import sql


async def test_customers_see_only_free_slots(laundry, public, at):
    await laundry.set_hours("08:00", "11:00")
    await laundry.update_rules(slot_minutes=60, capacity=1)
    await laundry.book(at(10))

    status, found, headers = await public("date=2030-01-07", Origin="https://anywhere.example")

    assert (status, headers["Access-Control-Allow-Origin"]) == (200, "*")
    assert found == {
        "mode": "pickup_slot",
        "date": "2030-01-07",
        "timezone": "UTC",
        "slots": [
            {"starts_at": at(8), "ends_at": at(9), "is_free": False},
            {"starts_at": at(9), "ends_at": at(10), "is_free": False},
            {"starts_at": at(10), "ends_at": at(11), "is_free": False},
        ],
    }
    _, tomorrow, _ = await public("date=2030-01-08")
    assert [slot["is_free"] for slot in tomorrow["slots"]] == [True, True, True]


async def test_unavailable_store_returns_404(laundry, public, owner):
    await laundry.send("PUT", "/settings", {"is_published": False})
    assert (await public())[0] == 404
    await laundry.send("PUT", "/settings", {"is_published": True})
    assert (await public())[0] == 200
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)
    assert (await public())[0] == 404
    laundry.id = 987_654_321_000
    assert (await public())[0] == 404
