"""The demo's tables and reservations."""

from comanda.operations.demo_data import DemoBuilder
from comanda_reservations.demo import DEMO_GUESTS, DEMO_TABLES, create_demo_reservations


async def test_demo_creates_tables_and_reservations_once(restaurant, owner, noon):
    showcase = DemoBuilder(owners={"owner": owner.id})
    showcase.stores.append({"id": restaurant.store.id, "slug": "x", "store_type": "restaurant"})
    showcase.stores.append({"id": 0, "slug": "y", "store_type": "gone"})

    await create_demo_reservations(showcase)
    first = (await restaurant.store.get("/reservations")).document
    noon.advance(days=1)
    await create_demo_reservations(showcase)

    assert (await restaurant.store.get("/tables"))["total"] == len(DEMO_TABLES)
    assert (await restaurant.store.get("/reservations")).document == first
    assert first["total"] == len(DEMO_GUESTS)
    assert all(row["table_numbers"] for row in first["data"])
