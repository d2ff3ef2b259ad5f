"""Checks of the database."""

from datetime import UTC, datetime, timedelta

import asyncpg
import pytest
from comanda.operations.diagnostics import database
from comanda.operations.diagnostics.database import check_migrations
from comanda.operations.diagnostics.results import CheckStatus
from comanda_migrations.runner import HistoryState


def state(app, *, installed=True, pending=(), missing=()):
    return HistoryState(app, installed, ("0_1_init", *missing), pending, missing)


@pytest.fixture
def empty_database(new_database):
    return new_database("comanda_test_latest_event")


def test_a_database_of_another_version_is_reported():
    found = list(check_migrations([state("core"), state("kds", missing=("7_2_later",))]))

    assert [finding.status for finding in found] == [CheckStatus.PROBLEM]
    assert found[0].found == "The database is of another version of kds: it has 7_2_later"


def test_pending_migrations_are_reported():
    [finding] = check_migrations([state("core"), state("kds", pending=("1_a", "2_b"))])

    assert (finding.status, finding.found, finding.advice) == (
        CheckStatus.PROBLEM,
        "2 to apply",
        "Run `comanda migrate`.",
    )


def test_tables_of_a_removed_plugin_are_no_problem():
    [finding] = check_migrations([state("core"), state("rose", installed=False, missing=("0_1_init",))])

    assert finding.status is CheckStatus.OK
    assert "rose" in finding.found


@pytest.mark.parametrize(
    ("ahead", "status"), [(0, CheckStatus.OK), (60, CheckStatus.PROBLEM), (-60, CheckStatus.PROBLEM)]
)
async def test_a_clock_that_differs_from_the_databases_is_reported(ahead, status):
    class Connection:
        async def fetchval(self, _):
            return datetime.now(UTC) + timedelta(seconds=ahead)

    finding = await database._check_clock(Connection())

    assert finding.status is status
    assert finding.found.startswith("60.0 seconds" if ahead else "0.0 seconds")


@pytest.mark.parametrize(
    ("ahead", "test_clock", "status"),
    [(-60, 0, CheckStatus.OK), (60, 0, CheckStatus.PROBLEM), (60, 60, CheckStatus.OK)],
)
async def test_an_event_in_the_future_is_reported(empty_database, ahead, test_clock, status):
    connection = await asyncpg.connect(empty_database)
    try:
        await connection.execute(
            "CREATE TABLE core_outbox (id int, occurred_at timestamptz); CREATE TABLE core_clock (id int, "
            "offset_seconds int); INSERT INTO core_outbox VALUES (1, now() + interval '1 hour'), "
            f"(2, now() + interval '{ahead} seconds'); INSERT INTO core_clock VALUES (1, {test_clock})"
        )
        finding = await database._check_latest_event(connection)
    finally:
        await connection.close()

    assert finding.status is status
