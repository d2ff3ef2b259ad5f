"""Printers are an owner's: registered with a code that is shown once, changed, deleted."""

import pytest
from comanda.platform.db import sql

from tests.plugins.printing.conftest import create_printing_store


@pytest.fixture
async def foreign(client, other_owner):
    return await create_printing_store(client, other_owner)


async def test_the_code_is_shown_once_and_stored_as_its_hash(shop):
    made = await shop.add_printer()
    code = made["url"].rpartition("/")[2]
    stored = await sql.fetch_value("SELECT code_hash FROM printing_printer WHERE id = $1", made["id"])

    assert "url" not in (await shop.get(f"/printers/{made['id']}")).document
    assert len(stored) == 32
    assert code.encode() not in stored


async def test_a_new_code_ends_the_old_one(shop, printer):
    [found] = (await shop.get("/printers"))["data"]
    replaced = await shop.send("POST", f"/printers/{found['id']}/replace-code")
    old = await shop.client.post(printer.path, json={})
    printer.url = replaced["url"]

    assert old.status_code == 404
    assert (await printer.poll()) == {"jobReady": False}


async def test_a_browser_has_no_code(shop):
    made = await shop.add_printer("browser")
    replaced = await shop.send("POST", f"/printers/{made['id']}/replace-code")

    assert made["url"] is None
    assert (replaced.status, replaced["reason"]) == (409, "no_code")


async def test_a_printer_is_changed_and_deleted_with_its_jobs(shop):
    made = await shop.add_printer()
    path = f"/printers/{made['id']}"
    changed = await shop.send("PATCH", path, {"name": "Bar", "width_mm": 58, "copies": 2})
    job = await shop.send("POST", f"{path}/test")
    deleted = await shop.send("DELETE", path)

    assert (changed["name"], changed["width_mm"], changed["copies"]) == ("Bar", 58, 2)
    assert job.status == 201
    assert deleted.status == 204
    assert await shop.list_jobs() == []


async def test_what_cannot_be_is_refused(shop, foreign):
    made, theirs = await shop.add_printer(), await foreign.add_printer()
    path = f"/printers/{made['id']}"
    refusals = [
        (await shop.send("PATCH", path, {"fallback_id": made["id"]}), "fallback_id"),
        (await shop.send("PATCH", path, {"fallback_id": theirs["id"]}), "fallback_id"),
        (await shop.send("PATCH", path, {"station_ids": [999]}), "station_ids"),
        (await shop.send("PATCH", path, {"modes": ["teleport"]}), "modes"),
        (await shop.send("PATCH", path, {"address": "10.0.0.1"}), "address"),
    ]

    assert all(field in reply.errors for reply, field in refusals)


async def test_nothing_of_another_owner_is_there(shop, foreign):
    theirs = await foreign.add_printer("browser")
    job = await foreign.send("POST", f"/printers/{theirs['id']}/test")
    calls = [
        ("GET", f"/printers/{theirs['id']}"),
        ("PATCH", f"/printers/{theirs['id']}"),
        ("DELETE", f"/printers/{theirs['id']}"),
        ("POST", f"/printers/{theirs['id']}/test"),
        ("POST", f"/printers/{theirs['id']}/claim"),
        ("GET", f"/print-jobs/{job['id']}/preview"),
        ("POST", f"/print-jobs/{job['id']}/reprint"),
        ("POST", f"/print-jobs/{job['id']}/confirm"),
    ]

    assert {(await shop.send(method, path, {} if method == "PATCH" else None)).status for method, path in calls} == {
        404
    }
    assert (await foreign.list_jobs())[0]["state"] == "waiting"
