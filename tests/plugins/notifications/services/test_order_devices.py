"""Browsers that asked on an order's page for push messages about it."""

import asyncio

import pytest
from comanda.basics import Conflict
from comanda.contracts import RecipientGone
from comanda.devkit.testing import line
from comanda.orders import queries
from comanda.platform.db import sql
from comanda_notifications import api, tasks


@pytest.fixture
def place(store):
    """Place an order and return it as its page has it."""

    async def make(**fields):
        placed = await store.order(line(await store.item("Soup", price=10)), **fields)
        return await queries.get_tracking(placed["track_token"])

    return make


@pytest.fixture
def read_pushes(owner, dispatch):
    """Handle all events and list what browsers are sent, as ``(token, text)``."""

    async def read():
        await dispatch()
        rows = await sql.fetch(
            "SELECT address, text FROM notifications_message WHERE owner_id = $1 AND channel = 'push' ORDER BY id",
            owner.id,
        )
        return [tuple(row) for row in rows]

    return read


@pytest.fixture
def list_browsers(owner):
    async def read():
        rows = await sql.fetch("SELECT token FROM notifications_order_device WHERE owner_id = $1 ORDER BY id", owner.id)
        return [row["token"] for row in rows]

    return read


async def test_each_browser_is_told_in_the_language_of_its_page(store, place, read_pushes):
    order, other = await place(), await place()
    await api.register_order_device(order, "first", "de")
    await api.register_order_device(order, "second", "pt-BR")
    await api.register_order_device(other, "stranger", "de")

    await store.set_status(order.id, "preparing")
    await store.set_status(order.id, "ready")

    title = (await store.get())["title"]
    assert await read_pushes() == [
        ("first", f"Ihre Bestellung {order.number} liegt bei {title} zur Abholung bereit."),
        ("second", f"Seu pedido {order.number} está pronto para retirada em {title}."),
    ]


async def test_a_guest_who_is_told_by_push_costs_no_sms(store, place, read_pushes, owner):
    await store.send("PUT", "/order-messages", {"messages": ["ready"], "channels": ["push", "sms"]})
    order = await place(phone="+351911111111")
    await api.register_order_device(order, "browser", "en")

    await store.set_status(order.id, "ready")

    assert len(await read_pushes()) == 1
    assert await sql.fetch_value("SELECT count(*) FROM notifications_message WHERE owner_id = $1", owner.id) == 1


async def test_ended_subscription_is_deleted(store, place, read_pushes, senders, carrier, list_browsers):
    order = await place()
    await api.register_order_device(order, "gone", "en")
    carrier.error = RecipientGone("410")

    await store.set_status(order.id, "ready")
    await read_pushes()
    await senders["push"].process_all_due()

    assert await list_browsers() == []


async def test_browsers_are_deleted_with_the_end_of_the_order(store, place, list_browsers):
    order, other = await place(), await place()
    await api.register_order_device(order, "first")
    await api.register_order_device(other, "other")
    await store.set_status(order.id, "completed")

    with pytest.raises(Conflict) as refused:
        await api.register_order_device(order, "second")
    await tasks.prune()

    assert refused.value.extras == {"reason": "nothing_to_come"}
    assert await list_browsers() == ["other"]


async def test_an_order_has_five_browsers(place, list_browsers):
    order = await place()

    results = await asyncio.gather(
        *(api.register_order_device(order, f"browser-{number}") for number in range(8)), return_exceptions=True
    )
    await api.register_order_device(order, (await list_browsers())[0])

    assert [type(each) for each in results].count(Conflict) == 3
    assert len(await list_browsers()) == 5


async def test_order_at_a_table_has_nothing_to_tell(place):
    order = await place(type="on-table", table_number="4")

    with pytest.raises(Conflict):
        await api.register_order_device(order, "browser")


async def test_erasure_deletes_browsers_and_messages(store, place, read_pushes, list_browsers, owner):
    order = await place(phone="+351911111111")
    await api.register_order_device(order, "browser")
    reply = await store.send("POST", "/customers", {"name": "Ada", "email": "ada@example.com"})
    await sql.execute("UPDATE core_order SET customer_id = $2 WHERE id = $1", order.id, reply["id"])
    await store.set_status(order.id, "ready")
    assert len(await read_pushes()) == 1
    await store.set_status(order.id, "completed")

    erased = await store.send("DELETE", f"/customers/{reply['id']}")

    assert erased.status == 204, erased
    assert await list_browsers() == []
    assert await read_pushes() == []
