"""The task that deletes old slots."""

from comanda.platform.db import sql
from comanda_collection import tasks


async def test_slot_is_deleted_once_it_cannot_be_listed(laundry, clock):
    order = (await laundry.place_slot_order("2030-01-07T11:00:00+00:00")).document
    await laundry.book("2030-01-10T11:00:00+00:00")

    clock.advance(days=31)
    await tasks.delete_old_slots()
    assert await laundry.counts(date="2030-01-07") == {"2030-01-07T11:00:00+00:00": 1}
    clock.advance(days=3)
    await tasks.delete_old_slots()

    left = await sql.fetch("SELECT starts_at FROM collection_slot WHERE store_id = $1", laundry.id)
    assert [row["starts_at"].day for row in left] == [10]
    for status in ("cancelled", "completed"):
        assert (await laundry.set_status(order["id"], status)).status == 200
    assert (await laundry.get(f"/orders/{order['id']}"))["scheduled_for"] == "2030-01-07T11:00:00+00:00"
