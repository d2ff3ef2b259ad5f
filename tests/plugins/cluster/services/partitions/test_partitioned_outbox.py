"""Statements of the outbox on partitions: a claim looks into the index of each, a result into one partition."""

from datetime import UTC, datetime, timedelta

import asyncpg
import pytest
from comanda.platform.events import dispatcher
from comanda.platform.queue.statements import build_statements
from comanda_cluster.services.partitions import conversion, maintenance
from comanda_cluster.services.partitions.sessions import open_session
from comanda_migrations import runner
from installed_plugins import get_registry

PATIENCE_SECONDS = 20.0
NOW = datetime.now(UTC)
STATEMENTS = build_statements(dispatcher.OUTBOX)
INSERT_EVENTS = """
    INSERT INTO core_outbox (owner_id, store_id, name, data, occurred_at, due_at, done_at)
    SELECT 1, 1, 'menu.updated', '{}', now(), now(), CASE WHEN n <= $1 THEN now() END FROM generate_series(1, $2) n
"""
PARTITIONS = 12
SELECT_USED_PARTITIONS = """
    SELECT inhrelid::regclass::text AS name FROM pg_inherits
    WHERE inhparent = 'core_outbox'::regclass AND pg_relation_size(inhrelid) > 0
"""
COUNT_PARTITIONS = "SELECT count(*) FROM pg_inherits WHERE inhparent = 'core_outbox'::regclass"


@pytest.fixture
def outbox_url(new_database):
    return new_database("comanda_test_partitioned_outbox")


@pytest.fixture
async def outbox(outbox_url):
    """A database with an outbox of twelve partitions; three have events, of which the last is due."""
    await runner.migrate(outbox_url, [each for each in get_registry().models if each.app == "core"])
    user = await asyncpg.connect(outbox_url)
    async with open_session(outbox_url) as session:
        async for _ in conversion.convert(session, dispatcher.LOG, NOW, PATIENCE_SECONDS):
            pass
        for week in range(PARTITIONS - 3):
            await user.execute(INSERT_EVENTS, 5000, 5000)
            moment = NOW + timedelta(days=7 * (week + 1))
            await maintenance.create_spare_partitions(session, dispatcher.LOG, moment)
            if week < 2:
                await maintenance.begin_period(session, dispatcher.LOG, moment)
    await user.execute(INSERT_EVENTS, 0, 1)
    # As autovacuum does, which leaves out those without rows.
    for row in await user.fetch(SELECT_USED_PARTITIONS):
        await user.execute(f"VACUUM ANALYZE {row['name']}")
    assert (
        await user.fetchval("SELECT count(*) FROM pg_inherits WHERE inhparent = 'core_outbox'::regclass") == PARTITIONS
    )
    yield user
    await user.close()


async def explain(connection, statement, *values):
    """Return the parts of a plan that ran, with the tables and indexes that they read."""
    async with connection.transaction():
        rows = await connection.fetch(f"EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) {statement}", *values)
    return [row[0].strip() for row in rows if "never executed" not in row[0]]


async def test_claim_reads_the_index_of_due_events_in_each_partition(outbox):
    plan = await explain(outbox, STATEMENTS.claim, timedelta(), dispatcher.LEASE, 200)

    assert not [line for line in plan if "Seq Scan" in line]
    assert len([line for line in plan if "_due" in line and "Scan using" in line]) == PARTITIONS


async def test_result_is_saved_in_the_partition_of_its_event(outbox):
    claimed = await outbox.fetch(STATEMENTS.claim, timedelta(), dispatcher.LEASE, 200)
    (row,) = claimed
    values = [row["claimed_id"]], [row["claimed_owner_id"]], [row["claimed_until"]], [row["claimed_attempts"] + 1]

    plan = await explain(outbox, STATEMENTS.finish, *values, timedelta())

    read = [line for line in plan if "Scan" in line and "core_outbox_" in line]
    assert len(read) == 1, plan
    await outbox.execute(STATEMENTS.finish, *values, timedelta())
    assert await outbox.fetchval("SELECT count(*) FROM core_outbox WHERE done_at IS NULL") == 0
