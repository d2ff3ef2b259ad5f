"""The record of plugins: who runs, who is away and since when."""

from datetime import timedelta

import orjson
import pytest
from comanda.platform.plugin_lifecycle.records import record_plugins

HOUR = timedelta(hours=1)


@pytest.fixture
def plugins(connection):
    async def load():
        rows = await connection.fetch("SELECT name, last_seen_at, away_since FROM core_plugin")
        return {row["name"]: (row["last_seen_at"], row["away_since"]) for row in rows}

    return load


async def test_loaded_plugins_are_recorded(url, connection, with_rental, clock):
    await record_plugins(url, with_rental)

    row = await connection.fetchrow("SELECT distribution, version, contributes FROM core_plugin WHERE name = 'rental'")
    assert (row["distribution"], row["version"]) == ("comanda-rental", "1.0")
    assert orjson.loads(row["contributes"]) == {
        "table": [],
        "vertical": ["rental"],
        "fulfillment mode": ["by_the_day"],
        "payment method": [],
    }


async def test_absence_begins_when_the_plugin_was_last_seen(url, plugins, with_rental, without_rental, clock):
    seen_at = clock()
    await record_plugins(url, with_rental)
    clock.advance(hours=1)
    await record_plugins(url, without_rental)
    clock.advance(hours=1)
    await record_plugins(url, without_rental)

    assert (await plugins())["rental"] == (seen_at, seen_at)
    assert (await plugins())["core"] == (clock(), None)


async def test_absence_lasts_until_reconciled(url, plugins, with_rental, without_rental, clock):
    seen_at = clock()
    for made in (with_rental, without_rental, with_rental):
        await record_plugins(url, made)
        clock.advance(hours=1)

    assert (await plugins())["rental"] == (clock() - HOUR, seen_at)
