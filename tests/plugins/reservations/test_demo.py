"""The demo restaurant's tables and guests."""

from comanda.demo_data.builder import DemoBuilder
from comanda_reservations.demo import GUESTS, TABLES, fill


async def test_the_demo_sets_tables_and_seats_guests_once(restaurant, owner, noon):
    showcase = DemoBuilder(owners={"owner": owner.id})
    showcase.stores.append({"id": restaurant.store.id, "slug": "x", "store_type": "restaurant"})
    showcase.stores.append({"id": 0, "slug": "y", "store_type": "gone"})

    await fill(showcase)
    first = (await restaurant.store.get("/reservations")).document
    noon.advance(days=1)
    await fill(showcase)

    assert (await restaurant.store.get("/tables"))["total"] == len(TABLES)
    assert (await restaurant.store.get("/reservations")).document == first
    assert first["total"] == len(GUESTS)
    assert all(row["table_numbers"] for row in first["data"])
