"""The demo flower shop."""

from comanda.operations.demo_data import DemoBuilder
from comanda_florist import demo


async def test_demo_creates_one_shop(owner, client):
    showcase = DemoBuilder(owners={"owner": owner.id})
    await demo.fill(showcase)
    await demo.fill(showcase)

    assert len({store["id"] for store in showcase.stores}) == 1
    assert (await client.get(f"/florist/{demo.SLUG}")).status_code == 200
