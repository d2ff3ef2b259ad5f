"""Checks of the database: version, clock, migrations and overdue events."""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime

import asyncpg
from comanda_migrations import runner

from comanda.basics import clock
from comanda.contracts.registry import Registry
from comanda.operations.diagnostics.absent_plugins import check_absent_plugins
from comanda.operations.diagnostics.results import CheckResult, report_ok, report_problem
from comanda.platform.db.postgresql import MIN_MAJOR_VERSION
from comanda.platform.events.dispatcher import SELECT_QUEUE_STATE
from comanda.platform.events.lanes import SELECT_LANE_STATES, LaneState
from comanda.web.api_reference.discovery import QUEUE_TOO_OLD_SECONDS

# What the test clock was ahead is no fault of the machine's.
SELECT_LATEST_EVENT = """
    SELECT occurred_at - make_interval(secs => coalesce((SELECT offset_seconds FROM core_clock WHERE id = 1), 0))
    FROM core_outbox ORDER BY id DESC LIMIT 1
"""
CONNECT_SECONDS = 5
MAX_CLOCK_SKEW_SECONDS = 2.0


async def check_database(url: str, registry: Registry) -> AsyncIterator[CheckResult]:
    """Check a database. Raises the error of asyncpg if it cannot be reached."""
    connection = await asyncpg.connect(url, timeout=CONNECT_SECONDS)
    try:
        yield _check_server(connection)
        yield await _check_clock(connection)
        states = await runner.history_state(url, registry.models)
        found = list(check_migrations(states))
        for finding in found:
            yield finding
        if any(state.applied for state in states) and not any(state.pending for state in states):
            yield await _check_latest_event(connection)
            yield await _check_events(connection)
            yield await _check_handlers(connection)
            for upkeep in registry.database_upkeep:
                for line, advice in await upkeep.check(connection, registry.models):
                    yield report_problem(upkeep.name, line, advice) if advice else report_ok(upkeep.name, line)
            async for finding in check_absent_plugins(connection, registry):
                yield finding
    finally:
        await connection.close()


def check_migrations(states: list[runner.HistoryState]) -> Iterator[CheckResult]:
    """Check that the database fits the installed version and has no pending migrations."""
    others = [state for state in states if state.installed and state.missing]
    for state in others:
        yield report_problem(
            "migrations",
            f"The database is of another version of {state.app}: it has {state.missing[-1]}",
            "`comanda migrate` tells what to do.",
        )
    waiting = sum(len(state.pending) for state in states)
    if waiting:
        yield report_problem("migrations", f"{waiting} to apply", "Run `comanda migrate`.")
    elif not others:
        removed = [state.app for state in states if not state.installed]
        kept = f"; tables of {', '.join(removed)} stay, which is not installed" if removed else ""
        yield report_ok("migrations", f"all applied{kept}")


def _check_server(connection: "asyncpg.Connection[asyncpg.Record]") -> CheckResult:
    version = connection.get_server_version()
    found = f"PostgreSQL {version.major}.{version.minor}"
    if version.major < MIN_MAJOR_VERSION:
        return report_problem("database", found, f"Comanda needs PostgreSQL {MIN_MAJOR_VERSION} or newer.")
    return report_ok("database", found)


async def _check_clock(connection: "asyncpg.Connection[asyncpg.Record]") -> CheckResult:
    before = datetime.now(UTC)
    there: datetime = await connection.fetchval("SELECT clock_timestamp()")
    after = datetime.now(UTC)
    # The database took its time at some moment between these two.
    skew = max((before - there).total_seconds(), (there - after).total_seconds(), 0.0)
    found = f"{skew:.1f} seconds from the clock of the database"
    if skew > MAX_CLOCK_SKEW_SECONDS:
        return report_problem(
            "clock", found, "Synchronize the clocks of both machines with NTP: tokens and leases depend on them."
        )
    return report_ok("clock", found)


async def _check_latest_event(connection: "asyncpg.Connection[asyncpg.Record]") -> CheckResult:
    """Compare the clock with what was written last: an embedded database has the same clock, right or wrong."""
    latest: datetime | None = await connection.fetchval(SELECT_LATEST_EVENT)
    ahead = (latest - datetime.now(UTC)).total_seconds() if latest is not None else 0.0
    if ahead > MAX_CLOCK_SKEW_SECONDS:
        return report_problem(
            "last event",
            f"{ahead:.0f} seconds in the future",
            "The clock is behind, or was ahead then. Set it with NTP: tokens, leases and schedules depend on it.",
        )
    return report_ok("last event", "not in the future")


async def _check_events(connection: "asyncpg.Connection[asyncpg.Record]") -> CheckResult:
    row = await connection.fetchrow(SELECT_QUEUE_STATE, clock.get_offset())
    if row is None or row["oldest"] is None:
        return report_ok("events", "none waiting")
    age, overdue = ((row["moment"] - row[since]).total_seconds() for since in ("oldest", "due"))
    found = f"{row['waiting']} waiting, the oldest for {age:.0f} seconds"
    # An event whose handler failed waits for its next attempt and is not overdue before that.
    if overdue > QUEUE_TOO_OLD_SECONDS:
        return report_problem(
            "events", found, "Start `comanda serve` or `comanda worker`; if one is running, its log says what fails."
        )
    return report_ok("events", found)


async def _check_handlers(connection: "asyncpg.Connection[asyncpg.Record]") -> CheckResult:
    states = [LaneState(**row) for row in await connection.fetch(SELECT_LANE_STATES, clock.get_offset())]
    degraded = [state for state in states if state.is_degraded]
    if not degraded:
        return report_ok("event handlers", "none is behind")
    found = ", ".join(f"{state.handler}: {state.waiting} waiting" for state in degraded)
    return report_problem("event handlers", found, "The log says why they fail or hang (event_handler_failed).")
