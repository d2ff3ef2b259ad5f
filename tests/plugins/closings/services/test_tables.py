"""Tables of reports as CSV."""

import csv
import io

import pytest
from comanda.devkit.testing import line
from comanda_closings.services.tables import ReportTable


@pytest.fixture
def read_table(client, owner, shop):
    async def read(table):
        path = f"/api/v1/restaurants/{shop.id}/day-report/export?table={table}"
        response = await client.get(path, headers=owner.auth)
        assert response.status_code == 200
        return list(csv.reader(io.StringIO((await response.get_data()).decode().removeprefix("\ufeff"))))

    return read


@pytest.mark.parametrize("table", list(ReportTable))
async def test_each_table_has_a_head_and_rows(shop, read_table, table):
    await shop.pay(await shop.order(line(shop.soup)))

    head, *rows = await read_table(table)

    assert rows
    assert all(len(row) == len(head) for row in rows)


async def test_table_has_the_values_of_the_report(shop, read_table):
    await shop.pay(await shop.order(line(shop.soup)), tip=1.5)

    assert await read_table("tenders") == [
        ["method", "payments", "collected", "refunds", "refunded"],
        ["cash", "1", "11.50", "0", "0.00"],
    ]
    assert ["net_sales", "10.00"] in await read_table("figures")
