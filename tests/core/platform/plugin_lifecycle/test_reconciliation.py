"""Reconciliation after an absence: once, again after a failure, and never beside itself."""

from dataclasses import replace

import pytest
from comanda.contracts.background.tasks import Reconciler
from comanda.platform import runtime as runtime_module
from comanda.platform.db import sql
from comanda.platform.plugin_lifecycle import reconciliation
from comanda.platform.plugin_lifecycle.records import record_plugins

NAME = "rental"


@pytest.fixture
async def away_since(runtime, database_url, with_rental, without_rental, clock, reconciled):
    """Let the plugin run, be away, and be back; return since when it was away."""
    since = clock()
    for made in (with_rental, without_rental, with_rental):
        await record_plugins(database_url, made)
        clock.advance(hours=1)
    runtime_module.use(replace(runtime, registry=with_rental))
    yield since
    runtime_module.use(runtime)
    await sql.execute("DELETE FROM core_plugin")


async def test_plugin_that_was_away_is_reconciled_once(away_since, reconciled):
    await reconciliation.reconcile_plugins()
    await reconciliation.reconcile_plugins()

    assert reconciled == [away_since]


async def test_failed_reconciliation_is_repeated_later(away_since, reconciled, runtime, with_rental, clock):
    async def fail(since):
        reconciled.append("failed")
        raise RuntimeError("no luck")

    failing = replace(with_rental, reconcilers={NAME: Reconciler(NAME, fail)})
    runtime_module.use(replace(runtime, registry=failing))
    await reconciliation.reconcile_plugins()
    runtime_module.use(replace(runtime, registry=with_rental))
    await reconciliation.reconcile_plugins()
    assert reconciled == ["failed"]

    clock.advance(seconds=reconciliation.RETRY_DELAY.total_seconds())
    await reconciliation.reconcile_plugins()

    assert reconciled == ["failed", away_since]


async def test_two_processes_do_not_reconcile_at_once(away_since, reconciled, runtime, with_rental):
    async def look_again(since):
        reconciled.append(since)
        await reconciliation.reconcile_plugins()

    looking = replace(with_rental, reconcilers={NAME: Reconciler(NAME, look_again)})
    runtime_module.use(replace(runtime, registry=looking))

    await reconciliation.reconcile_plugins()

    assert reconciled == [away_since]


async def test_absence_during_reconciliation_is_kept(away_since, reconciled, runtime, with_rental, clock):
    gone_at = clock()

    async def leave(since):
        await sql.execute("UPDATE core_plugin SET away_since = $2 WHERE name = $1", NAME, gone_at)

    leaving = replace(with_rental, reconcilers={NAME: Reconciler(NAME, leave)})
    runtime_module.use(replace(runtime, registry=leaving))

    await reconciliation.reconcile_plugins()

    assert await sql.fetch_value("SELECT away_since FROM core_plugin WHERE name = $1", NAME) == gone_at


@pytest.mark.usefixtures("app")
async def test_first_installation_is_not_reconciled(runtime, database_url, with_rental, reconciled):
    await record_plugins(database_url, with_rental)
    runtime_module.use(replace(runtime, registry=with_rental))
    try:
        await reconciliation.reconcile_plugins()
    finally:
        runtime_module.use(runtime)
        await sql.execute("DELETE FROM core_plugin")

    assert reconciled == []
