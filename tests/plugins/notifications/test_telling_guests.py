"""What guests are told of their orders, where the store's owner wants it."""

import asyncio

import pytest
from comanda.accounts import services as accounts
from comanda.contracts.callers import Caller
from comanda.contracts.events import StoredEvent
from comanda.db import sql
from comanda.devkit.testing.stores import line
from comanda_customers.tokens import CUSTOMER
from comanda_notifications import api, settings, telling_guests

PHONE = "+351 911 111 111"
ALL = ["received", "ready", "on_its_way", "delivered", "failed", "cancelled"]


@pytest.fixture
def told(owner, dispatch):
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
async def chatty(store):
    """The store, which tells its guests everything."""
    reply = await store.send("PUT", "/order-messages", {"messages": ALL})
    assert reply.status == 200, reply
    return store


@pytest.fixture
def order(store):
    async def place(**fields):
        return await store.order(line(await store.item("Soup", price=10)), **{"phone": PHONE, **fields})

    return place


@pytest.fixture
def deliver(order):
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


async def test_a_store_tells_nobody_anything_until_its_owner_says_so(store, order, told):
    placed = await order()
    await store.set_status(placed["id"], "ready")

    assert await told() == []
    assert (await store.get("/order-messages")).document == {"messages": [], "channels": ["push", "sms", "email"]}


async def test_an_owner_chooses_what_is_told_and_how(store):
    first = await store.send("PUT", "/order-messages", {"messages": ["ready", "ready", "received"]})
    second = await store.send("PUT", "/order-messages", {"channels": ["email", "sms", "email"]})

    assert first.document == {"messages": ["ready", "received"], "channels": ["push", "sms", "email"]}
    assert second.document == {"messages": ["ready", "received"], "channels": ["email", "sms"]}
    assert (await store.get("/order-messages")).document == second.document
    assert (await store.send("PUT", "/order-messages", {"messages": []}))["messages"] == []


@pytest.mark.parametrize(
    "body", [{"messages": ["x"]}, {"messages": "ready"}, {"channels": []}, {"channels": ["fax"]}, {"channels": [None]}]
)
async def test_what_cannot_be_chosen_is_refused(chatty, body):
    assert (await chatty.send("PUT", "/order-messages", body)).status == 422
    assert (await chatty.get("/order-messages"))["messages"] == ALL


async def test_a_choice_of_another_owner_s_is_not_there(chatty, client, other_owner):
    path = f"/api/v1/restaurants/{chatty.id}/order-messages"

    assert (await client.get(path, headers=other_owner.auth)).status_code == 404
    assert (await client.put(path, headers=other_owner.auth, json={"messages": []})).status_code == 404
    assert (await chatty.get("/order-messages"))["messages"] == ALL


async def test_a_guest_is_told_that_an_order_came_in_and_when_it_is_ready(chatty, order, told):
    placed = await order()
    for status in ("preparing", "ready"):
        await chatty.set_status(placed["id"], status)
        await told()

    title = (await chatty.get())["title"]
    link = f"http://comanda.test/t/{placed['track_token']}"
    assert await told() == [
        ("sms", "+351911111111", "orders.received",
         f"{title} has your order {placed['number']}. Follow it here: {link}"),
        ("sms", "+351911111111", "orders.ready",
         f"Your order {placed['number']} is ready for collection at {title}."),
    ]  # fmt: skip


async def test_a_delivery_is_followed_to_the_door(chatty, deliver, told):
    brought, lost = await deliver(), await deliver()
    await told()
    for id, status in ((brought, "out_for_delivery"), (brought, "delivered"), (lost, "failed")):
        path = f"/orders/{id['id']}/delivery-status"
        reply = await chatty.send("PUT", path, {"delivery_status": status})
        assert reply.status == 200, reply
        await told()
    await chatty.set_status(lost["id"], "cancelled")

    purposes = [purpose for _, _, purpose, _ in await told()]
    assert purposes == [
        "orders.received", "orders.received", "orders.on_its_way", "orders.delivered", "orders.failed",
        "orders.cancelled",
    ]  # fmt: skip


async def test_what_is_brought_is_not_to_be_collected(chatty, deliver, order, told):
    for placed in (await deliver(), await order(type="on-table", table_number="4")):
        await chatty.set_status(placed["id"], "ready")

    assert [purpose for _, _, purpose, _ in await told()] == ["orders.received"] * 2


async def test_what_is_so_no_more_is_not_told(chatty, order, told):
    placed = await order()
    await chatty.set_status(placed["id"], "ready")
    await chatty.set_status(placed["id"], "completed")
    gone = await order()
    await chatty.set_status(gone["id"], "cancelled")

    assert [purpose for _, _, purpose, _ in await told()] == ["orders.received", "orders.cancelled"]


async def test_what_is_told_twice_or_comes_twice_is_sent_once(chatty, order, told, owner):
    placed = await order()
    await chatty.set_status(placed["id"], "ready")
    before = await told()
    await sql.execute(
        "UPDATE core_outbox SET done_at = NULL, handled = '{}', due_at = now() WHERE owner_id = $1", owner.id
    )
    await chatty.set_status(placed["id"], "preparing")
    await chatty.set_status(placed["id"], "ready")

    assert await told() == before
    assert len(before) == 2


async def test_one_event_heard_by_many_at_once_is_sent_once(chatty, order, told, owner, clock):
    placed = await order()
    event = StoredEvent(1, owner.id, chatty.id, "order.created", {"order_id": placed["id"]}, clock())

    await asyncio.gather(*(telling_guests.tell([event, event]) for _ in range(6)))

    assert len(await told()) == 1


async def test_old_news_is_no_news(chatty, order, told, clock):
    await order()
    clock.advance(hours=3)

    assert await told() == []


@pytest.mark.parametrize("phone", ["call me", "911 111 111", None])
async def test_whoever_cannot_be_reached_is_told_nothing(chatty, order, told, phone):
    await order(phone=phone)

    assert await told() == []


async def test_a_number_is_one_of_the_store_s_country_and_so_is_the_language(chatty, order, told):
    await chatty.send("PUT", "/settings", {"country": "PT"})
    await order(phone="911 111 111")

    [(_, address, _, text)] = await told()
    assert address == "+351911111111"
    assert "recebeu o seu pedido" in text


async def test_a_customer_without_a_number_gets_a_mail_in_their_language(chatty, order, told, customer):
    placed = await order(phone=None)
    await customer(placed["id"], locale="de-AT")

    [(channel, address, _, text)] = await told()
    assert (channel, address) == ("email", "ada@example.com")
    assert "hat Ihre Bestellung" in text


async def test_the_owner_s_first_channel_that_reaches_somebody_is_used(chatty, order, told, customer, owner):
    await chatty.send("PUT", "/order-messages", {"channels": ["email", "push"]})
    placed = await order()
    id = await customer(placed["id"])
    issued = await accounts.issue_token(CUSTOMER, owner.id, [], name="phone", subject_id=id, store_id=chatty.id)
    device = Caller("customer", issued.id, owner.id, chatty.id, id, frozenset(), None)
    await api.register_device(device, "ios", "adas-phone", "1", "fr")
    await told()
    await chatty.send("PUT", "/order-messages", {"channels": ["push", "email"]})
    await chatty.set_status(placed["id"], "ready")

    mail, push = await told()
    assert mail[:3] == ("email", "ada@example.com", "orders.received")
    assert push[:3] == ("push", "adas-phone", "orders.ready")
    assert "est prête" in push[3]


async def test_one_channel_that_had_enough_leaves_it_to_the_next(chatty, order, told, customer, monkeypatch, owner):
    monkeypatch.setattr(settings.current(), "max_per_address_per_hour", 1)
    await api.send(api.Message("sms", "+351911111111", "x"), owner_id=owner.id, purpose="test")
    placed = await order()
    await customer(placed["id"])

    assert [channel for channel, *_ in await told()] == ["email"]
    waiting = "SELECT count(*) FROM core_outbox WHERE owner_id = $1 AND done_at IS NULL"
    assert await sql.fetch_value(waiting, owner.id) == 0


async def test_an_owner_words_what_guests_are_told(chatty, order, told):
    await chatty.send("PUT", "/message-templates/orders.received/sms/en", {"text": "Thanks! No. {number}"})
    placed = await order()

    assert [text for *_, text in await told()] == [f"Thanks! No. {placed['number']}"]


async def test_the_operator_says_where_orders_are_followed(chatty, order, told, monkeypatch):
    monkeypatch.setattr(settings.current(), "tracking_url", "https://shop.example/orders?t={token}")
    placed = await order()

    assert f"https://shop.example/orders?t={placed['track_token']}" in (await told())[0][3]


@pytest.mark.parametrize(
    "url", ["shop.example/{token}", "https://shop.example/", "javascript:{token}", "http://{token}{token}"]
)
def test_a_tracking_page_has_an_address_and_a_token(url):
    with pytest.raises(ValueError, match="hold"):
        settings.NotificationSettings(tracking_url=url)


async def test_guests_of_a_suspended_owner_are_told_nothing(chatty, order, told, owner):
    await order()
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    assert await told() == []


async def test_the_link_is_gone_once_it_was_sent(chatty, order, told, senders, owner, production):
    await order()
    await told()
    await senders["sms"].work_off()

    sent = await sql.fetch("SELECT status, text FROM notifications_message WHERE owner_id = $1", owner.id)
    assert [(one["status"] != "pending", one["text"]) for one in sent] == [(True, None)]
