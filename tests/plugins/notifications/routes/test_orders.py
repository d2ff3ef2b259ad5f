"""Routes of order messages."""

import pytest

ALL = ["received", "ready", "on_its_way", "near", "delivered", "failed", "cancelled"]


async def test_owner_updates_messages_and_channels(store):
    first = await store.send("PUT", "/order-messages", {"messages": ["ready", "ready", "received"]})
    second = await store.send("PUT", "/order-messages", {"channels": ["email", "sms", "email"]})

    assert first.document == {"messages": ["ready", "received"], "channels": ["push", "sms", "email"]}
    assert second.document == {"messages": ["ready", "received"], "channels": ["email", "sms"]}
    assert (await store.get("/order-messages")).document == second.document
    assert (await store.send("PUT", "/order-messages", {"messages": []}))["messages"] == []


@pytest.mark.parametrize(
    "body", [{"messages": ["x"]}, {"messages": "ready"}, {"channels": []}, {"channels": ["fax"]}, {"channels": [None]}]
)
async def test_invalid_choice_is_rejected(notifying_store, body):
    assert (await notifying_store.send("PUT", "/order-messages", body)).status == 422
    assert (await notifying_store.get("/order-messages"))["messages"] == ALL
