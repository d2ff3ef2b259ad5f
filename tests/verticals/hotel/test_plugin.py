"""The vertical as a whole: what it declares, and the hotel of the demo."""

import pytest
from comanda.db import sql
from comanda.demo_data.builder import DemoBuilder
from comanda.demo_data.owners import create_owners as fill_owners
from comanda_hotel.demo import fill


async def test_a_hotel_says_what_it_can_do(client, owner):
    store_id = await owner.store("hotel")
    shown = await (await client.get(f"/api/v1/restaurants/{store_id}", headers=owner.auth)).get_json()

    vertical = shown["vertical"]
    assert (vertical["label"], vertical["group"]) == ("Hotel", "stays")
    assert vertical["fulfillment_modes"] == ["room_service", "appointment", "in_store"]
    assert {code for code, is_there in vertical["capabilities"].items() if is_there} == {
        "brand", "stock", "variants", "rooms", "reservations", "appointments"
    }  # fmt: skip


def test_what_it_declares_is_registered(runtime):
    mine = runtime.registry.contributions["hotel"]

    assert mine["vertical"] == ("hotel",)
    assert mine["task"] == ("hotel_expire_holds",)
    assert mine["MCP tool"] == ("admin/hotel_availability", "storefront/hotel_availability", "customer/my_bookings")
    assert runtime.registry.docs["hotels"].text.count("\n") > 30


@pytest.fixture
async def showcase(app):
    made = DemoBuilder()
    await fill_owners(made)
    await fill(made)
    yield made
    await sql.execute("UPDATE core_store SET slug = slug || '-' || id WHERE slug = 'hotel-miradouro'")


async def test_the_demo_opens_one_hotel_with_guests_in_it(showcase):
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
