"""A table with rows becomes the first partition, and is used as before."""

import asyncio
import os
import signal
import sys

import pytest
from comanda.contracts import LogTable
from comanda_cluster.services.partitions import conversion
from press_log import LOG, NOVEMBER

SHAPE = """
    SELECT 'column', attname::text, format_type(atttypid, atttypmod), attnotnull::text,
        (SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = attrelid AND adnum = attnum),
        attidentity::text
    FROM pg_attribute WHERE attrelid = 'press_log'::regclass AND attnum > 0 AND NOT attisdropped
    UNION ALL SELECT 'index', indexrelid::regclass::text, pg_get_indexdef(indexrelid), indisvalid::text, NULL, NULL
    FROM pg_index WHERE indrelid = 'press_log'::regclass
    UNION ALL SELECT 'constraint', conname, pg_get_constraintdef(oid), convalidated::text,
        conrelid::regclass::text, NULL
    FROM pg_constraint
    WHERE 'press_log'::regclass IN (conrelid, confrelid) AND conparentid = 0 AND contype <> 'n'
    UNION ALL SELECT 'view', relname, pg_get_viewdef(oid), reloptions::text, NULL, NULL
    FROM pg_class WHERE relname = 'press_log_v1'
    UNION ALL SELECT 'grant', grantee::text, privilege_type, NULL, NULL, NULL
    FROM pg_class CROSS JOIN aclexplode(relacl) WHERE oid = 'press_log'::regclass AND grantee = 0
    ORDER BY 1, 2
"""
IS_WAITING = (
    "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'ALTER TABLE press_log%' AND wait_event_type = 'Lock'"
)
# A process that partitions the table and is killed after so many steps.
PARTITION = """
import asyncio, os, signal, sys
from comanda_cluster.services.partitions import conversion
from comanda_cluster.services.partitions.sessions import open_session
from press_log import LOG, NOVEMBER
async def run():
    async with open_session(sys.argv[1]) as session:
        steps = 0
        async for line in conversion.convert(session, LOG, NOVEMBER, 20.0):
            steps += 1
            if steps == int(sys.argv[2]):
                os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(run())
"""


async def shape_of(press):
    """Return the shape of the table, without what PostgreSQL adds to partitioned ones."""
    return [tuple(str(value).replace("ON ONLY", "ON") for value in row) for row in await press.user.fetch(SHAPE)]


async def test_everything_about_the_table_stays(press):
    (first,) = await press.insert(NOVEMBER)
    await press.user.execute("INSERT INTO press_note VALUES (1, $1, 1)", first)
    before = await shape_of(press)

    lines = await press.convert()

    assert await shape_of(press) == before
    assert [line.split()[0] for line in lines] == ["bounded", "validated", "attached", "validated"]
    assert await press.partitions() == ["press_log_2026_11", "press_log_2026_12", "press_log_2027_01"]
    assert await press.insert(NOVEMBER) == [first + 1]
    assert await press.user.fetchval("SELECT count(*) FROM press_log_v1") == 2
    await press.user.execute("DELETE FROM press_log WHERE id = $1", first)
    assert await press.rows("press_note") == 0
    assert await press.convert() == []


async def test_partitions_are_stored_as_the_table_was(press):
    await press.convert()

    options = await press.user.fetch(
        "SELECT reloptions FROM pg_class WHERE relname LIKE 'press\\_log\\_2%' AND relkind = 'r'"
    )

    assert [row[0] for row in options] == [["fillfactor=70"]] * 3


async def test_statements_that_were_prepared_before_go_on(press):
    insert = await press.user.prepare(
        "INSERT INTO press_log (owner_id, vat_id, written_at) VALUES (1, 1, now()) RETURNING id"
    )
    read = await press.user.prepare("SELECT size FROM press_log WHERE id = $1 AND owner_id = 1")
    before = await insert.fetchval()
    await press.convert()

    after = await insert.fetchval()

    assert after == before + 1
    assert [await read.fetchval(each) for each in (before, after)] == [3, 3]


async def test_ids_of_the_conversion_are_not_given_twice(press):
    ids = await press.insert(NOVEMBER, 3)
    await press.convert()
    ids += await press.insert(NOVEMBER, 3)

    assert ids == sorted(set(ids))


@pytest.mark.parametrize("steps", [1, 2, 3])
async def test_killed_between_steps_it_goes_on(press, steps):
    before = await shape_of(press)
    ids = await press.insert(NOVEMBER, 3)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", PARTITION, press.url, str(steps),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )  # fmt: skip
    assert await process.wait() == -signal.SIGKILL
    ids += await press.insert(NOVEMBER)
    await press.convert()

    ids += await press.insert(NOVEMBER)
    assert await shape_of(press) == before
    assert await press.rows() == len(set(ids)) == 5
    assert len(await press.partitions()) == 3


async def test_check_of_an_old_attempt_is_replaced(press):
    await press.user.execute("ALTER TABLE press_log ADD CONSTRAINT press_log_ids CHECK (id < 3) NOT VALID")
    await press.insert(NOVEMBER)

    await press.convert()

    await press.insert(NOVEMBER, 5)
    assert await press.rows() == 6


async def test_table_in_use_is_waited_for(press):
    async with press.other() as reader:
        reading = reader.transaction()
        await reading.start()
        await reader.fetch("SELECT * FROM press_log")
        converting = asyncio.create_task(press.convert())
        await press.wait_for(IS_WAITING)
        # Those that wait behind it get their turn, although the reader goes on.
        await press.insert(NOVEMBER, 3)
        is_waiting = not converting.done()
        await reading.rollback()
        await converting

    assert is_waiting
    assert await press.insert(NOVEMBER) == [4]
    assert len(await press.partitions()) == 3


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("CREATE UNIQUE INDEX press_log_once ON press_log (owner_id, size)", "press_log_once is unique without id"),
        ("ALTER TABLE press_log ALTER id DROP IDENTITY", "no identity column"),
        (
            """CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
               CREATE TRIGGER t BEFORE INSERT ON press_log FOR EACH ROW EXECUTE FUNCTION f()""",
            "has triggers",
        ),
    ],
)
async def test_what_cannot_be_partitioned_is_refused(press, change, problem):
    await press.user.execute(change)
    before = await shape_of(press)

    with pytest.raises(conversion.PartitionsRefused, match=problem):
        await press.convert()

    assert await shape_of(press) == before


async def test_table_that_does_not_exist_is_a_problem(press):
    missing = LogTable("press_other", LOG.period, LOG.retention, LOG.kept)

    assert await conversion.find_problems(press.session, missing) == [
        "There is no table press_other: run `comanda migrate`."
    ]
