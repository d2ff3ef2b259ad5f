"""The events that endpoints can subscribe to."""

from comanda_webhooks.services.event_catalog import SPECIFIED_EVENTS

ENDPOINTS = "/api/v1/webhook-endpoints"


async def test_every_specified_event_can_be_subscribed_to(client, owner, create_endpoint):
    names = sorted(SPECIFIED_EVENTS)
    assert len(names) == 25

    made = await create_endpoint("https://hooks.example.com/in", [*names, "subscription.*", "app.*", "entitlement.*"])

    assert made["events"] == [*names, "subscription.*", "app.*", "entitlement.*"]
    for name in ("subscription.cancelled", "unicorn.*", "order.create"):
        refused = await client.post(
            ENDPOINTS, json={"url": "https://hooks.example.com/in", "events": [name]}, headers=owner.auth
        )
        assert refused.status_code == 422
