"""Plans that were made for a few rows do not outlive them."""

import pytest
from comanda.platform.db import sql
from comanda.platform.db.statistics import analyze_grown_tables

TABLE = "grown_example"


@pytest.fixture
async def table(app):
    """Create a table with statistics of nothing, as an early ANALYZE leaves them."""
    await sql.execute(f"CREATE TABLE {TABLE} (id bigint PRIMARY KEY, text text)")
    await sql.execute(f"ANALYZE {TABLE}")
    yield
    await sql.execute(f"DROP TABLE {TABLE}")


async def insert(first, last):
    await sql.execute(f"INSERT INTO {TABLE} SELECT n, repeat('x', 400) FROM generate_series({first}, {last}) AS n")


@pytest.mark.usefixtures("table")
async def test_statistics_are_renewed_each_time_a_table_has_doubled():
    analyzed = []
    # The last time nothing is inserted.
    for first, last in [(1, 20), (21, 100), (101, 110), (111, 300), (301, 300)]:
        await insert(first, last)
        analyzed.append(TABLE in await analyze_grown_tables())

    assert analyzed == [False, True, False, True, False]


@pytest.mark.usefixtures("table")
async def test_large_tables_are_left_to_autovacuum(monkeypatch):
    await insert(1, 1000)
    monkeypatch.setattr("comanda.platform.db.statistics.MAX_PAGES", 10)

    assert TABLE not in await analyze_grown_tables()

    monkeypatch.undo()

    assert TABLE in await analyze_grown_tables()


@pytest.mark.usefixtures("table")
async def test_kept_plan_is_made_anew():
    async def explain():
        return "\n".join(row[0] for row in await sql.fetch("EXPLAIN EXECUTE find_example (1)"))

    async with sql.transaction():
        # A transaction keeps its connection, and so the plan.
        await sql.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        await sql.execute(f"PREPARE find_example (bigint) AS SELECT * FROM {TABLE} WHERE id = $1")
        before = await explain()
        await insert(1, 5000)
        stale = await explain()
        await analyze_grown_tables()
        renewed = await explain()
        await sql.execute("DEALLOCATE find_example")

    assert "Seq Scan" in before
    assert stale == before
    assert "Index Scan" in renewed
