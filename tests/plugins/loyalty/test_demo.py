"""The programmes of the demo restaurants and shops."""

from comanda.operations.demo_data import DemoBuilder
from comanda_loyalty.demo import create_demo_programmes


async def test_demo_programmes_are_created_once(store, owner):
    showcase = DemoBuilder(owners={"owner": owner.id})
    showcase.stores += [{"id": store.id, "slug": "x", "store_type": "restaurant"}]
    showcase.stores += [{"id": 0, "slug": "y", "store_type": "hotel"}]

    await create_demo_programmes(showcase)
    await create_demo_programmes(showcase)

    assert (await store.get("/loyalty"))["is_on"]
    names = [reward["name"] for reward in (await store.get("/loyalty/rewards"))["data"]]
    assert names == ["5 off", "A tenth off"]
