"""Panels of an order and of the day."""

import re

import pytest
from comanda.devkit.testing import line


@pytest.fixture
def base(store_id):
    return f"/stores/{store_id}/printers"


@pytest.fixture
async def printer_id(dashboard, base):
    values = {"name": "Kitchen", "width_mm": "80", "language": "de", "code_page": "cp858", "copies": "1"}
    await dashboard.post(f"{base}/new", {**values, "prints": "kitchen", "kind": "browser"})
    return int(re.search(rf"/dashboard{base}/(\d+)", await dashboard.get(base))[1])


async def test_an_order_shows_and_prints_its_slips(dashboard, base, printer_id, store, store_id, dispatch):
    order = await store.order(line(await store.item()))
    await dispatch()
    page = f"/stores/{store_id}/orders/{order['id']}"
    await dashboard.post(f"{page}/print", {"printer_id": printer_id, "kind": "receipt"})
    shown = await dashboard.get(page)
    job_id = re.search(r"/print-jobs/(\d+)/preview", shown)[1]
    await dashboard.post(f"/stores/{store_id}/print-jobs/{job_id}/reprint", {"printer_id": printer_id})

    assert "Kitchen ticket" in shown
    assert "Receipt" in shown
    assert "Copy" in await dashboard.get(f"{base}/{printer_id}")


async def test_todays_page_names_printers_that_need_somebody(dashboard, base, printer_id, store_id):
    quiet = await dashboard.get(f"/stores/{store_id}")
    await dashboard.post(f"{base}/{printer_id}/test")
    shown = await dashboard.get(f"/stores/{store_id}")

    assert "1 waiting" not in quiet
    assert "1 waiting" in shown
