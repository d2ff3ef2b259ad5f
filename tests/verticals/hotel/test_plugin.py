"""The declarations of the hotel vertical."""


async def test_hotel_has_its_capabilities_and_modes(client, owner):
    store_id = await owner.store("hotel")
    shown = await (await client.get(f"/api/v1/restaurants/{store_id}", headers=owner.auth)).get_json()

    vertical = shown["vertical"]
    assert (vertical["label"], vertical["group"]) == ("Hotel", "stays")
    assert vertical["fulfillment_modes"] == ["room_service", "appointment", "in_store"]
    assert {code for code, is_there in vertical["capabilities"].items() if is_there} == {
        "brand", "stock", "variants", "rooms", "reservations", "appointments", "item_times"
    }  # fmt: skip


def test_declarations_are_registered(runtime):
    mine = runtime.registry.contributions["hotel"]

    assert mine["vertical"] == ("hotel",)
    assert mine["task"] == ("hotel_expire_holds", "hotel_calendars")
    assert mine["MCP tool"] == ("admin/hotel_availability", "storefront/hotel_availability", "customer/my_bookings")
    assert runtime.registry.docs["hotels"].text.count("\n") > 30
