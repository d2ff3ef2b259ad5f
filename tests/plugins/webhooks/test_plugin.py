"""The plugin as a whole: its tables, its declarations, and the cost of its import."""

import subprocess
import sys

from comanda_migrations.differences import differences


async def test_models_match_migrated_tables(app, database_url, runtime):
    assert await differences(database_url, [one for one in runtime.registry.models if one.app == "webhooks"]) == []


def test_declarations_are_registered(runtime, event_names):
    mine = runtime.registry.contributions["webhooks"]

    assert mine["event"] == ("ping", "webhook_endpoint.failing", "webhook_endpoint.disabled")
    assert mine["event handler"] == ("webhooks",)
    assert mine["command"] == ("listen",)
    assert set(mine["event"]) < set(event_names)


def test_import_loads_no_web_server():
    code = "import sys, comanda_webhooks.plugin; print('aiohttp.web' in sys.modules, 'rich.json' in sys.modules)"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["False", "False"]
