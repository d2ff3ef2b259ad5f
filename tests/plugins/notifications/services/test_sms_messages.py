"""SMS within an owner's limit, and what becomes of those beyond it."""

import pytest
from comanda.basics import RateLimited
from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_notifications import api
from comanda_notifications.services import sms_limits


async def test_texts_beyond_the_limit_are_stored_and_not_sent(set_limits, send, list_messages, read_limits):
    await set_limits(monthly_limit=2)

    for number in range(4):
        await send(to=f"+35191111111{number}")

    sms = [status for channel, _, status in await list_messages() if channel == "sms"]
    limits = await read_limits()
    assert sms == ["pending", "pending", "over_limit", "over_limit"]
    assert (limits["sent"], limits["withheld"], limits["is_reached"]) == (2, 2, True)


async def test_owner_is_told_once_at_80_and_at_100_percent(set_limits, send, list_messages):
    await set_limits(monthly_limit=5)

    for number in range(7):
        await send(to=f"+35191111111{number}")

    assert [purpose for channel, purpose, _ in await list_messages() if channel == "email"] == [
        "sms_limit.near",
        "sms_limit.reached",
    ]


async def test_codes_go_on_within_a_bound_of_their_own(set_limits, send, monkeypatch, read_limits):
    monkeypatch.setattr(sms_limits, "MIN_EXTRA_CODES", 2)
    await set_limits(monthly_limit=0)
    for number in range(2):
        await send(to=f"+35191111111{number}", urgency=api.Urgency.CODE)

    with pytest.raises(RateLimited):
        await send(to="+351911111113", urgency=api.Urgency.CODE)

    assert (await read_limits())["sent"] == 2


async def test_at_the_limit_a_guest_is_told_by_email(set_limits, store, dispatch, list_messages):
    await set_limits(monthly_limit=0)
    await store.send("PUT", "/order-messages", {"messages": ["ready"], "channels": ["sms", "email"]})
    order = await store.order(line(await store.item("Soup", price=10)), phone="+351911111111")
    guest = await store.send("POST", "/customers", {"name": "Ada", "email": "ada@example.com"})
    await sql.execute("UPDATE core_order SET customer_id = $2 WHERE id = $1", order["id"], guest["id"])

    await store.set_status(order["id"], "ready")
    await dispatch()

    assert await list_messages() == [("email", "orders.ready", "pending")]
