"""Routes of order messages."""

import pytest

ALL = ["received", "ready", "on_its_way", "delivered", "failed", "cancelled"]


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


async def test_store_of_other_owner_returns_404(notifying_store, client, other_owner):
    path = f"/api/v1/restaurants/{notifying_store.id}/order-messages"

    assert (await client.get(path, headers=other_owner.auth)).status_code == 404
    assert (await client.put(path, headers=other_owner.auth, json={"messages": []})).status_code == 404
    assert (await notifying_store.get("/order-messages"))["messages"] == ALL
