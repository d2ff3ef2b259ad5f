"""The queues of the installation in the dashboard."""

import pytest
from comanda.accounts import administration
from comanda.devkit.testing import sign_in
from comanda.platform.db import sql

PATH = "/administration/queues"
SMS = f"{PATH}/of/notifications_sms"
INSERT_DEAD = """
    INSERT INTO notifications_message (owner_id, number, purpose, channel, address, text, status, attempts, error,
        created_at, finished_at)
    VALUES ($1, $2, 'orders.ready', 'sms', '+351911111111', 'Hello', 'undeliverable', 5, 'No such <number>.',
        now(), now())
    RETURNING id
"""
SELECT_STATUS = "SELECT status FROM notifications_message WHERE id = $1"


@pytest.fixture
async def administrator(app, owner):
    await administration.set_administrator(owner.email, is_administrator=True)
    return await sign_in(app, owner.id)


@pytest.fixture
def fail(other_owner):
    """Return a function that stores a message of another owner that was given up, and returns the form's fields."""

    async def fail(number="one"):
        id = await sql.fetch_value(INSERT_DEAD, other_owner.id, f"{other_owner.id}-{number}")
        return {"owner_id": str(other_owner.id), "row_id": str(id)}

    return fail


async def get_status(fields):
    return await sql.fetch_value(SELECT_STATUS, int(fields["row_id"]))


async def test_dead_letter_is_shown_with_its_reason_and_no_address(administrator, fail, other_owner):
    await fail()

    overview = await administrator.get(PATH)
    page = await administrator.get(SMS)

    assert 'href="/dashboard/administration/queues/of/notifications_sms"' in overview
    assert "outbox" in overview
    assert "orders.ready" in page
    assert "No such &lt;number&gt;." in page
    assert f"/administration/owners/{other_owner.id}" in page
    assert "+351911111111" not in page
    assert "<html" not in await administrator.get(f"{PATH}/live")


async def test_dead_letter_is_tried_again(app, administrator, fail, other_owner):
    fields = await fail()

    assert await administrator.post(f"{SMS}/retry", fields) == SMS

    assert await get_status(fields) == "pending"
    log = await (await sign_in(app, other_owner.id)).get("/audit-log")
    assert "Tried again what had failed" in log


async def test_all_dead_letters_are_tried_again(administrator, fail):
    sent = [await fail("one"), await fail("two")]

    await administrator.post(f"{SMS}/retry-all")

    assert [await get_status(fields) for fields in sent] == ["pending", "pending"]


async def test_dead_letter_is_discarded(administrator, fail):
    fields = await fail()

    await administrator.post(f"{SMS}/discard", fields)

    assert await get_status(fields) is None
    await administrator.post(f"{SMS}/retry", fields)
    assert "no longer there" in await administrator.get(SMS)


async def test_rows_that_do_not_fit_change_nothing(administrator, fail, owner):
    fields = await fail()

    for act in ("retry", "discard", "retry-failing"):
        for wrong in ({}, {**fields, "owner_id": str(owner.id)}, {**fields, "row_id": "9" * 19}, {"row_id": "x"}):
            assert await administrator.post(f"{SMS}/{act}", wrong) == SMS
    await administrator.post(f"{PATH}/of/nothing/retry", fields, status=404)
    await administrator.get(f"{PATH}/of/nothing", status=404)

    assert await get_status(fields) == "undeliverable"


async def test_queue_without_failures_says_so(administrator):
    assert "Nothing has failed" in await administrator.get(f"{PATH}/of/outbox")


async def test_owners_find_no_queues(dashboard, fail):
    fields = await fail()

    await dashboard.get(PATH, status=404)
    await dashboard.get(SMS, status=404)
    for act in ("retry", "discard", "retry-all"):
        await dashboard.post(f"{SMS}/{act}", fields, status=404)
    assert await get_status(fields) == "undeliverable"
