"""The plugin as a whole: its tables and its declarations."""

from comanda_migrations.differences import differences


async def test_models_and_migrated_tables_agree(app, database_url, runtime):
    assert await differences(database_url, [one for one in runtime.registry.models if one.app == "customers"]) == []


def test_what_it_declares_is_registered(runtime):
    kind = runtime.registry.caller_kinds["customer"]
    handler = next(one for one in runtime.registry.event_handlers if one.name == "customers_guests")

    assert (kind.prefix, kind.header, kind.lifetime.days, kind.is_sliding) == ("cus_", "authorization", 180, True)
    assert [event.name for event in handler.events] == ["order.created", "order.status_changed"]
