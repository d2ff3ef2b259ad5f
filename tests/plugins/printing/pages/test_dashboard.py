"""Printers in the dashboard."""

import re

import pytest

ADDRESS = re.compile(r"http[^\s<\"]+/printers/cloudprnt/[\w-]+")
VALUES = {
    "name": "Kitchen",
    "width_mm": "80",
    "language": "de",
    "code_page": "cp858",
    "prints": "kitchen",
    "copies": "1",
}


@pytest.fixture
def base(store_id):
    return f"/stores/{store_id}/printers"


@pytest.fixture
async def printer_id(dashboard, base):
    await dashboard.post(f"{base}/new", {**VALUES, "kind": "browser"})
    return int(re.search(rf"/dashboard{base}/(\d+)", await dashboard.get(base))[1])


async def test_a_printer_is_registered_and_its_address_is_shown_once(dashboard, base):
    form = await dashboard.get(f"{base}/new")
    page = await dashboard.post(f"{base}/new", {**VALUES, "kind": "cloudprnt"}, status=200)
    address = ADDRESS.search(page)[0]
    listed = await dashboard.get(base)

    assert "CloudPRNT" in form
    assert "Never connected" in listed
    assert address not in listed


async def test_wrong_values_are_named_beside_their_fields(dashboard, base):
    page = await dashboard.post(f"{base}/new", {**VALUES, "kind": "escpos_tcp", "address": "printer"}, status=422)

    assert "Must be an IP address" in page


async def test_a_printer_is_changed_tested_and_deleted(dashboard, base, printer_id):
    path = f"{base}/{printer_id}"
    await dashboard.get(f"{path}/edit")
    await dashboard.post(f"{path}/edit", {**VALUES, "name": "Bar", "prints": ["kitchen", "receipt"]})
    await dashboard.post(f"{path}/test")
    page = await dashboard.get(path)
    await dashboard.post(f"{path}/delete")

    assert "Bar" in page
    assert "Test page" in page
    assert "Waiting" in page
    assert "No printers yet" in await dashboard.get(base)


async def test_the_page_that_prints_goes_through_what_waits(dashboard, base, printer_id, store_id):
    path = f"{base}/{printer_id}"
    await dashboard.post(f"{path}/test")
    before = await dashboard.get(f"{path}/page")
    slip = await dashboard.post(f"{path}/page", status=200)
    job_id = re.search(r'name="job_id" value="(\d+)"', slip)[1]
    picture = await dashboard.client.get(f"/dashboard/stores/{store_id}/print-jobs/{job_id}/preview")
    await dashboard.post(f"{path}/page", {"job_id": job_id})
    after = await dashboard.get(f"{path}/page")

    assert 'data-waiting="1"' in before
    assert picture.content_type == "image/png"
    assert f"/print-jobs/{job_id}/preview" in slip
    assert "Nothing waits." in after
    assert "Printed" in await dashboard.get(path)
