"""The demo hotel."""

import pytest
from comanda.devkit.testing.tasks import run_task
from comanda.operations.demo_data import DemoBuilder
from comanda.operations.demo_data.owners import create_owners as fill_owners
from comanda.platform.db import sql
from comanda_demobank.demo import connect_demo_account, pay_demo_charges
from comanda_hotel.demo import fill


@pytest.fixture
async def showcase(app):
    made = DemoBuilder()
    await fill_owners(made)
    await connect_demo_account(made)
    await fill(made)
    yield made
    await sql.execute("UPDATE core_store SET slug = slug || '-' || id WHERE slug = 'hotel-miradouro'")


async def test_demo_creates_one_hotel_with_guests(showcase):
    (store,) = showcase.stores
    # Each test renames it afterwards, and the demo finds it again.
    assert store["slug"].startswith("hotel-miradouro")
    assert store["store_type"] == "hotel"

    async def count(table, where="true"):
        return await sql.fetch_value(f"SELECT count(*) FROM {table} WHERE store_id = $1 AND {where}", store["id"])

    async def numbers():
        return [
            await count("hotel_room"), await count("hotel_room_type"), await count("hotel_stay"),
            await count("hotel_stay", "status = 'checked_in'"), await count("hotel_stay", "status = 'optional'"),
            await count("core_menu_item"), await count("reservations_reservation"),
        ]  # fmt: skip

    assert await numbers() == [12, 3, 11, 3, 3, 16, 11]
    await fill(showcase)
    assert await numbers() == [12, 3, 11, 3, 3, 16, 11]
    assert showcase.stores == [store, store]


async def test_deposits_of_the_demo_are_paid(showcase, clock, dispatch):
    await pay_demo_charges(showcase)
    clock.advance(minutes=2)
    await run_task("payments_reconcile")
    await dispatch()

    (store,) = showcase.stores
    found = await sql.fetch("SELECT status FROM payments_prepayment WHERE store_id = $1", store["id"])
    assert [row["status"] for row in found] == ["paid", "paid"]
    held = await sql.fetch("SELECT guest_name FROM hotel_stay WHERE store_id = $1 AND status = 'optional'", store["id"])
    assert [row["guest_name"] for row in held] == ["Harriet Bloom"]
