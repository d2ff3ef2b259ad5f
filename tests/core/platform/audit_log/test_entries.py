"""Entries are committed together with the write."""

import contextlib

import pytest
from audit import entries_of
from comanda.basics.errors import Conflict
from comanda.platform import runtime
from comanda.platform.audit_log import entries
from comanda.platform.audit_log.entries import to_stored_address
from comanda.platform.db import sql

REQUEST = "recording"
NOTE = "UPDATE core_owner SET name = $2 WHERE id = $1"


def start(owner, **ids):
    return entries.start_recording(owner.caller, "put_it", before_ids=ids, address="::1", request_id=REQUEST)


async def name_of(owner):
    return await sql.fetch_value("SELECT name FROM core_owner WHERE id = $1", owner.id)


@pytest.mark.usefixtures("app")
async def test_entry_is_kept_if_the_process_dies(owner):
    with start(owner, restaurant_id=7):
        async with sql.transaction():
            await sql.execute(NOTE, owner.id, "Changed")

    (entry,) = await entries_of(owner, REQUEST)
    assert (entry["outcome"], entry["after_ids"], entry["store_id"]) == (None, None, 7)


@pytest.mark.usefixtures("app")
async def test_rolled_back_transaction_leaves_no_entry(owner):
    with start(owner) as entry:
        with contextlib.suppress(Conflict):
            async with sql.transaction():
                await sql.execute(NOTE, owner.id, "Changed")
                raise Conflict
        await entry.fail("conflict")

    assert await entries_of(owner, REQUEST) == []
    assert await name_of(owner) == "Test Owner"


@pytest.mark.usefixtures("app")
async def test_read_only_transaction_leaves_no_entry(owner):
    with start(owner) as entry:
        async with sql.transaction():
            await name_of(owner)
        await entry.fail("not_found")

    assert await entries_of(owner, REQUEST) == []


@pytest.mark.usefixtures("app")
async def test_write_before_an_error_records_its_code(owner):
    with start(owner) as entry:
        async with sql.transaction():
            await sql.execute(NOTE, owner.id, "Changed")
        await entry.fail("conflict")

    (entry,) = await entries_of(owner, REQUEST)
    assert entry["outcome"] == "conflict"


@pytest.mark.usefixtures("app")
async def test_several_transactions_leave_one_entry(owner):
    with start(owner) as entry:
        for name in ("One", "Two"):
            async with sql.transaction():
                await sql.execute(NOTE, owner.id, name)
        await entry.finish({"id": 3, "user": {"id": 4}, "is_on": True, "text_id": "secret"})

    (entry,) = await entries_of(owner, REQUEST)
    assert entry["outcome"] == "ok"
    assert entry["after_ids"] == '{"id": 3, "user_id": 4}'


@pytest.mark.usefixtures("app")
async def test_write_is_rolled_back_without_its_entry(owner, monkeypatch):
    monkeypatch.setattr(entries, "INSERT_ENTRY", "INSERT INTO core_no_such_table VALUES ($1, $2, $3, $4, $5, $6)")

    with start(owner), pytest.raises(Exception, match="core_no_such_table"):
        async with sql.transaction():
            await sql.execute(NOTE, owner.id, "Changed")

    assert await name_of(owner) == "Test Owner"


@pytest.mark.usefixtures("app")
async def test_callers_of_some_kinds_are_not_recorded():
    kinds = runtime.registry().caller_kinds.values()

    assert {kind.code for kind in kinds if not kind.is_audited} == {"assistant", "customer", "driver"}
    assert entries.start_recording(None, "put_it", before_ids={}, address="::1", request_id="x") is None


def test_guest_address_is_shortened_to_the_network():
    assert to_stored_address("203.0.113.77", is_public=True) == "203.0.113.0/24"
    assert to_stored_address("2001:db8:1:2::3", is_public=True) == "2001:db8:1::/48"
    assert to_stored_address("local", is_public=True) == "unknown"
    assert to_stored_address("203.0.113.77", is_public=False) == "203.0.113.77"
