"""The demo hotel."""

import pytest
from comanda.operations.demo_data import DemoBuilder
from comanda.operations.demo_data.owners import create_owners as fill_owners
from comanda.platform.db import sql
from comanda_hotel.demo import fill


@pytest.fixture
async def showcase(app):
    made = DemoBuilder()
    await fill_owners(made)
    await fill(made)
    yield made
    await sql.execute("UPDATE core_store SET slug = slug || '-' || id WHERE slug = 'hotel-miradouro'")


async def test_demo_creates_one_hotel_with_guests(showcase):
    (store,) = showcase.stores
    assert (store["slug"], store["store_type"]) == ("hotel-miradouro", "hotel")

    async def count(table, where="true"):
        return await sql.fetch_value(f"SELECT count(*) FROM {table} WHERE store_id = $1 AND {where}", store["id"])

    async def numbers():
        return [
            await count("hotel_room"), await count("hotel_room_type"), await count("hotel_stay"),
            await count("hotel_stay", "status = 'checked_in'"), await count("hotel_stay", "status = 'optional'"),
            await count("core_menu_item"), await count("reservations_reservation"),
        ]  # fmt: skip

    assert await numbers() == [12, 3, 9, 3, 1, 16, 9]
    await fill(showcase)
    assert await numbers() == [12, 3, 9, 3, 1, 16, 9]
    assert showcase.stores == [store, store]
