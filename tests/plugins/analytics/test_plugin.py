"""The plugin as a whole: its tables, its declarations, its command."""

import pytest
from click.testing import CliRunner
from comanda.cli import session
from comanda.contracts.events import EventHandler
from comanda.orders.events import OrderCreated
from comanda_analytics.commands import analytics
from comanda_migrations.differences import differences


async def test_models_and_migrated_tables_agree(app, database_url, runtime):
    assert await differences(database_url, [one for one in runtime.registry.models if one.app == "analytics"]) == []


def test_it_hears_orders_and_by_their_names_payments(runtime):
    handler = next(one for one in runtime.registry.event_handlers if one.name == "analytics_days")

    heard = [name for name in runtime.registry.events if handler.wants(name)]
    assert sorted(heard) == ["order.created", "order.paid", "order.status_changed", "refund.completed"]


@pytest.mark.parametrize(
    ("handler", "heard"),
    [
        (EventHandler("all", print), {"order.created", "order.paid", "menu.updated"}),
        (EventHandler("one", print, (OrderCreated,)), {"order.created"}),
        (EventHandler("named", print, names=("order.paid",)), {"order.paid"}),
        (EventHandler("both", print, (OrderCreated,), ("order.paid",)), {"order.created", "order.paid"}),
    ],
    ids=lambda value: getattr(value, "name", None),
)
def test_a_handler_hears_the_events_and_the_names_that_it_wants(handler, heard):
    assert {name for name in ("order.created", "order.paid", "menu.updated") if handler.wants(name)} == heard


@pytest.mark.parametrize(("given", "stores", "said"), [(["--store", "7"], 1, "1 store."), ([], 3, "3 stores.")])
def test_the_command_says_how_many_stores_it_counted(monkeypatch, given, stores, said):
    monkeypatch.setattr(session, "call", lambda work, data: stores)

    result = CliRunner().invoke(analytics, ["rebuild", *given])

    assert result.exit_code == 0
    assert said in result.output
