"""Reconciliation of plugins that are back, by one process of all, and the hourly note that plugins still run."""

from datetime import timedelta
from typing import Final

import structlog

from comanda.basics import clock
from comanda.contracts.background.tasks import Reconciler
from comanda.platform import runtime
from comanda.platform.db import sql

log = structlog.get_logger(__name__)

# Longer than a reconciliation should take; one that takes longer may be started again beside itself.
LEASE: Final = timedelta(minutes=30)
RETRY_DELAY: Final = timedelta(minutes=1)

CLAIM_RECONCILIATION: Final = """
    UPDATE core_plugin SET leased_until = $3
    WHERE name = $1 AND away_since IS NOT NULL AND (leased_until IS NULL OR leased_until <= $2)
    RETURNING away_since
"""
# A plugin that went away again meanwhile has another time.
FINISH_RECONCILIATION: Final = """
    UPDATE core_plugin SET away_since = NULL, leased_until = NULL WHERE name = $1 AND away_since = $2
"""
POSTPONE_RECONCILIATION: Final = "UPDATE core_plugin SET leased_until = $2 WHERE name = $1"


async def reconcile_plugins() -> None:
    """Reconcile each plugin that was away and that no other process is reconciling."""
    for reconciler in runtime.registry().reconcilers.values():
        await _reconcile(reconciler)


async def _reconcile(reconciler: Reconciler) -> None:
    name, moment = reconciler.plugin, clock.now()
    since = await sql.fetch_value(CLAIM_RECONCILIATION, name, moment, moment + LEASE)
    if since is None:
        return
    try:
        await reconciler.run(since)
    except Exception:
        log.exception("plugin_not_reconciled", plugin=name, since=since.isoformat())
        await sql.execute(POSTPONE_RECONCILIATION, name, clock.now() + RETRY_DELAY)
        return
    await sql.execute(FINISH_RECONCILIATION, name, since)
    log.info("plugin_reconciled", plugin=name, since=since.isoformat())


async def touch_plugins() -> None:
    """Record that the plugins of this process still run, so that an absence is known to the hour."""
    names = [plugin.name for plugin in runtime.registry().plugins]
    statement = "UPDATE core_plugin SET last_seen_at = $2 WHERE name = ANY ($1::text[]) AND away_since IS NULL"
    await sql.execute(statement, names, clock.now())
