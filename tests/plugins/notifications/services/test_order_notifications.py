"""Messages to guests about orders."""

import asyncio

import pytest
from comanda.accounts import services as accounts
from comanda.contracts import Caller, StoredEvent
from comanda.devkit.testing import line
from comanda.platform.db import sql
from comanda_customers.caller_kinds import CUSTOMER
from comanda_notifications import api, settings
from comanda_notifications.services import order_notifications
from paying_first import open_account, pay, place_order, set_payments

PHONE = "+351 911 111 111"


@pytest.fixture
def read_guest_messages(owner, dispatch):
    """List what guests were sent, as ``(channel, address, purpose, text)``, oldest first."""

    async def read():
        await dispatch()
        rows = await sql.fetch(
            """SELECT channel, address, purpose, text FROM notifications_message
               WHERE owner_id = $1 AND purpose LIKE 'orders.%' ORDER BY id""",
            owner.id,
        )
        return [tuple(row) for row in rows]

    return read


@pytest.fixture
def order(store):
    async def place(**fields):
        return await store.order(line(await store.item("Soup", price=10)), **{"phone": PHONE, **fields})

    return place


@pytest.fixture
def order_delivery(order):
    async def place(**fields):
        return await order(type="delivery", address="Rua da Prata 8", customer_name="Ada", **fields)

    return place


@pytest.fixture
def customer(store, owner):
    """Write a customer down, and make an order theirs; return the id."""

    async def make(order_id=None, **fields):
        reply = await store.send("POST", "/customers", {"name": "Ada", "email": "ada@example.com", **fields})
        assert reply.status == 201, reply
        if order_id is not None:
            await sql.execute("UPDATE core_order SET customer_id = $2 WHERE id = $1", order_id, reply["id"])
        return reply["id"]

    return make


async def test_no_messages_by_default(store, order, read_guest_messages):
    placed = await order()
    await store.set_status(placed["id"], "ready")

    assert await read_guest_messages() == []
    assert (await store.get("/order-messages")).document == {
        "messages": [],
        "channels": ["push", "sms", "email"],
        "reply_to": None,
    }


async def test_guest_is_notified_of_received_and_ready_order(notifying_store, order, read_guest_messages):
    placed = await order()
    for status in ("preparing", "ready"):
        await notifying_store.set_status(placed["id"], status)
        await read_guest_messages()

    title = (await notifying_store.get())["title"]
    link = f"http://comanda.test/t/{placed['track_token']}"
    assert await read_guest_messages() == [
        ("sms", "+351911111111", "orders.received",
         f"{title} has your order {placed['number']}. Follow it here: {link}"),
        ("sms", "+351911111111", "orders.ready",
         f"Your order {placed['number']} is ready for collection at {title}."),
    ]  # fmt: skip


async def test_guest_is_notified_of_delivery_progress(notifying_store, order_delivery, read_guest_messages):
    brought, lost = await order_delivery(), await order_delivery()
    await read_guest_messages()
    for id, status in ((brought, "out_for_delivery"), (brought, "delivered"), (lost, "failed")):
        path = f"/orders/{id['id']}/delivery-status"
        reply = await notifying_store.send("PUT", path, {"delivery_status": status})
        assert reply.status == 200, reply
        await read_guest_messages()
    await notifying_store.set_status(lost["id"], "cancelled")

    purposes = [purpose for _, _, purpose, _ in await read_guest_messages()]
    assert purposes == [
        "orders.received", "orders.received", "orders.on_its_way", "orders.delivered", "orders.failed",
        "orders.cancelled",
    ]  # fmt: skip


async def test_ready_is_sent_for_collection_only(notifying_store, order_delivery, order, read_guest_messages):
    for placed in (await order_delivery(), await order(type="on-table", table_number="4")):
        await notifying_store.set_status(placed["id"], "ready")

    assert [purpose for _, _, purpose, _ in await read_guest_messages()] == ["orders.received"] * 2


async def test_outdated_status_is_not_sent(notifying_store, order, read_guest_messages):
    placed = await order()
    await notifying_store.set_status(placed["id"], "ready")
    await notifying_store.set_status(placed["id"], "completed")
    gone = await order()
    await notifying_store.set_status(gone["id"], "cancelled")

    assert [purpose for _, _, purpose, _ in await read_guest_messages()] == ["orders.received", "orders.cancelled"]


async def test_repeated_status_is_sent_once(notifying_store, order, read_guest_messages, owner):
    placed = await order()
    await notifying_store.set_status(placed["id"], "ready")
    before = await read_guest_messages()
    await sql.execute("UPDATE core_outbox SET done_at = NULL, due_at = now() WHERE owner_id = $1", owner.id)
    await notifying_store.set_status(placed["id"], "preparing")
    await notifying_store.set_status(placed["id"], "ready")

    assert await read_guest_messages() == before
    assert len(before) == 2


async def test_concurrent_handling_sends_once(notifying_store, order, read_guest_messages, owner, clock):
    placed = await order()
    event = StoredEvent(1, owner.id, notifying_store.id, "order.created", {"order_id": placed["id"]}, clock())

    await asyncio.gather(*(order_notifications.notify_guests([event, event]) for _ in range(6)))

    assert len(await read_guest_messages()) == 1


async def test_old_event_is_not_sent(notifying_store, order, read_guest_messages, clock):
    await order()
    clock.advance(hours=3)

    assert await read_guest_messages() == []


@pytest.mark.parametrize("phone", ["call me", "911 111 111", None])
async def test_unreachable_guest_is_skipped(notifying_store, order, read_guest_messages, phone):
    await order(phone=phone)

    assert await read_guest_messages() == []


async def test_number_and_language_default_to_store_country(notifying_store, order, read_guest_messages):
    await notifying_store.send("PUT", "/settings", {"country": "PT"})
    await order(phone="911 111 111")

    [(_, address, _, text)] = await read_guest_messages()
    assert address == "+351911111111"
    assert "recebeu o seu pedido" in text


async def test_customer_without_phone_gets_email_in_own_language(notifying_store, order, read_guest_messages, customer):
    placed = await order(phone=None)
    await customer(placed["id"], locale="de-AT")

    [(channel, address, _, text)] = await read_guest_messages()
    assert (channel, address) == ("email", "ada@example.com")
    assert "hat Ihre Bestellung" in text


async def test_first_reachable_channel_is_used(notifying_store, order, read_guest_messages, customer, owner):
    await notifying_store.send("PUT", "/order-messages", {"channels": ["email", "push"]})
    placed = await order()
    id = await customer(placed["id"])
    issued = await accounts.issue_token(
        CUSTOMER, owner.id, [], name="phone", subject_id=id, store_id=notifying_store.id
    )
    device = Caller("customer", issued.id, owner.id, notifying_store.id, id, frozenset(), None)
    await api.register_device(device, "ios", "adas-phone", "1", "fr")
    await read_guest_messages()
    await notifying_store.send("PUT", "/order-messages", {"channels": ["push", "email"]})
    await notifying_store.set_status(placed["id"], "ready")

    mail, push = await read_guest_messages()
    assert mail[:3] == ("email", "ada@example.com", "orders.received")
    assert push[:3] == ("push", "adas-phone", "orders.ready")
    assert "est prête" in push[3]


async def test_rate_limited_channel_falls_back_to_next(
    notifying_store, order, read_guest_messages, customer, monkeypatch, owner
):
    monkeypatch.setattr(settings.get_settings(), "max_per_address_per_hour", 1)
    await api.send(api.OutgoingMessage("sms", "+351911111111", "x"), owner_id=owner.id, purpose="test")
    placed = await order()
    await customer(placed["id"])

    assert [channel for channel, *_ in await read_guest_messages()] == ["email"]
    waiting = "SELECT count(*) FROM core_outbox WHERE owner_id = $1 AND done_at IS NULL"
    assert await sql.fetch_value(waiting, owner.id) == 0


async def test_own_text_is_sent_to_guests(notifying_store, order, read_guest_messages):
    await notifying_store.send("PUT", "/message-templates/orders.received/sms/en", {"text": "Thanks! No. {number}"})
    placed = await order()

    assert [text for *_, text in await read_guest_messages()] == [f"Thanks! No. {placed['number']}"]


async def test_tracking_url_setting_is_used(notifying_store, order, read_guest_messages, monkeypatch):
    monkeypatch.setattr(settings.get_settings(), "tracking_url", "https://shop.example/orders?t={token}")
    placed = await order()

    assert f"https://shop.example/orders?t={placed['track_token']}" in (await read_guest_messages())[0][3]


async def test_suspended_owner_sends_nothing(notifying_store, order, read_guest_messages, owner):
    await order()
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    assert await read_guest_messages() == []


async def test_tracking_link_is_erased_once_sent(
    notifying_store, order, read_guest_messages, senders, owner, production
):
    await order()
    await read_guest_messages()
    await senders["sms"].process_all_due()

    sent = await sql.fetch("SELECT status, text FROM notifications_message WHERE owner_id = $1", owner.id)
    assert [(one["status"] != "pending", one["text"]) for one in sent] == [(True, None)]


async def test_order_that_is_paid_first_is_received_once_it_is_paid(notifying_store, read_guest_messages):
    soup = await notifying_store.item("Soup", price=10)
    await open_account(notifying_store)
    await set_payments(notifying_store, online_pickup="required")
    order = await place_order(notifying_store, line(soup))
    assert await read_guest_messages() == []

    await pay(notifying_store, order)

    assert [purpose for _, _, purpose, _ in await read_guest_messages()] == ["orders.received"]


async def test_payment_of_another_order_is_no_news(notifying_store, order, read_guest_messages):
    placed = await order()
    before = await read_guest_messages()
    await pay(notifying_store, placed)

    assert await read_guest_messages() == before
