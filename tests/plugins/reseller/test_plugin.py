"""What the plugin registers."""

from comanda_reseller.events import SUBSCRIPTION_EVENTS


def test_events_of_subscriptions_are_registered(runtime):
    assert {event.name for event in SUBSCRIPTION_EVENTS} <= set(runtime.registry.events)
    for event in SUBSCRIPTION_EVENTS:
        assert event.model_validate(event.sample).model_dump(mode="json").keys() == event.sample.keys()
