"""The events of webhook endpoints."""


def test_every_event_fits_its_sample(runtime):
    for name in runtime.registry.contributions["webhooks"]["event"]:
        event = runtime.registry.events[name]
        assert event.model_validate(event.sample).model_dump() == event.sample
