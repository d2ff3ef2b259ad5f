"""The messages of a store as its owner sees them."""

from comanda.contracts import OutgoingMessage
from comanda.platform.db import sql
from comanda_notifications import api


async def send(owner, store, text="Ready", **options):
    async with sql.transaction():
        message = OutgoingMessage("email", "rita@example.com", text, "Your order")
        await api.send(message, owner_id=owner.id, store_id=store.id, purpose="orders.ready", **options)


async def test_messages_are_listed_without_secrets(owner, store):
    await send(owner, store)
    await send(owner, store, "Code 1234", secret=True)
    page = (await store.get("/messages?channel=email&search=RITA")).document

    assert [(each["to"], each["text"], each["is_secret"]) for each in page["data"]] == [
        ("rita@example.com", None, True),
        ("rita@example.com", "Ready", False),
    ]
    assert "1234" not in str(page)
    assert (await store.get("/messages?search=tomas"))["total"] == 0


async def test_messages_of_other_stores_are_not_listed(owner, store, open_store):
    other = await open_store("restaurant")
    await send(owner, other)

    assert (await store.get("/messages"))["data"] == []


async def test_channels_name_their_transport(store):
    channels = (await store.get("/message-channels")).document

    assert [each["channel"] for each in channels] == ["sms", "email", "push"]
    assert all(each["is_ready"] == (each["transport"] is not None) for each in channels)
