"""Records of stores."""

from comanda.devkit.testing.stores import line

RESTAURANT_MODES = ["on-table", "takeaway", "delivery", "room_service"]


async def test_a_store_shows_every_capability_as_boolean(store):
    vertical = (await store.get())["vertical"]

    assert vertical.keys() == {"label", "group", "capabilities", "fulfillment_modes"}
    assert (vertical["label"], vertical["group"]) == ("Restaurant", "food")
    assert vertical["fulfillment_modes"] == RESTAURANT_MODES
    assert {code for code, has in vertical["capabilities"].items() if has} == {
        "modifiers",
        "dietary",
        "food_information",
        "nutrition",
        "packaging",
        "by_weight",
        "kds",
        "tables",
        "reservations",
        "item_times",
    }
    assert {"variants", "stock", "brand", "fitment", "age_gate", "expiry", "rooms"} <= vertical["capabilities"].keys()
    assert all(isinstance(has, bool) for has in vertical["capabilities"].values())


async def test_store_of_missing_vertical_is_listed_without_orders(store, runtime, monkeypatch):
    soup = await store.item()
    monkeypatch.setattr(type(runtime.registry), "verticals", {}, raising=False)

    listed = (await store.send_to("/api/v1/restaurants")).document["data"][0]
    await store.send("PUT", "/settings", {"title": "Still here"})  # a new version of the menu
    refused = await store.place(line(soup))

    assert listed["vertical"] == {
        "label": "restaurant",
        "group": None,
        "capabilities": {},
        "fulfillment_modes": [],
    }
    assert refused.errors == {"type": ["This store takes: no orders, as its vertical is not installed."]}
