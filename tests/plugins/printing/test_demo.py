"""The demo prints in a browser."""

from comanda.operations.demo_data import DemoBuilder
from comanda_printing.demo import create_demo_printer


async def test_each_store_has_one_printer_however_often_it_runs(shop):
    showcase = DemoBuilder(owners={"owner": shop.owner.id}, stores=[{"id": shop.id, "store_type": "restaurant"}])

    for _ in range(2):
        await create_demo_printer(showcase)

    assert [printer["kind"] for printer in (await shop.get("/printers"))["data"]] == ["browser"]
