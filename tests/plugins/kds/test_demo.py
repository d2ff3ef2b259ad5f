"""Kitchen stations of the demo."""

from comanda.operations.demo_data import DemoBuilder
from comanda_kds.demo import create_demo_stations


async def test_demo_restaurant_gets_two_stations_once(kitchen):
    category = await kitchen.category("Starters")
    showcase = DemoBuilder(owners={"owner": kitchen.owner.id}, stores=[{"id": kitchen.id, "store_type": "restaurant"}])

    for _ in range(2):
        await create_demo_stations(showcase)

    stations = (await kitchen.get("/stations"))["data"]
    assert [(each["name"], each["is_default"]) for each in stations] == [
        ("Hot kitchen", True),
        ("Cold and sweet", False),
    ]
    assert (await kitchen.get("/station-routes"))["data"] == [
        {"item_id": None, "category_id": category, "station_id": stations[1]["id"]}
    ]
