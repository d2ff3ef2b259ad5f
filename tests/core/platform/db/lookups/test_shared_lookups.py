"""Lookups at the same time share statements, and none is answered with what was known before it asked."""

import asyncio

import pytest
from comanda.platform.db import sql
from comanda.platform.db.lookups.shared_lookups import MAX_KEYS, MAX_STATEMENTS, SLOW_SECONDS, SharedLookup


class Table:
    """Values by key, whose lookup waits until the test lets it go on."""

    def __init__(self):
        self.values = {number: f"value {number}" for number in range(1000)}
        self.statements = []
        self.error = None
        self.gate = asyncio.Event()

    async def load(self, keys):
        self.statements.append(list(keys))
        found = {key: self.values[key] for key in keys if key in self.values}
        await self.gate.wait()
        if self.error is not None and len(self.statements) > 1:
            raise self.error
        return found


async def start(lookup, *keys):
    """Return tasks that look up a key each, once their statement runs or they wait for another one."""
    tasks = [asyncio.create_task(lookup.find(key)) for key in keys]
    for _ in range(3):
        await asyncio.sleep(0)
    return tasks


async def test_lookups_of_one_turn_share_a_statement():
    table = Table()
    tasks = await start(SharedLookup(table.load), 1, 2, 1)
    table.gate.set()

    assert await asyncio.gather(*tasks) == ["value 1", "value 2", "value 1"]
    assert [sorted(keys) for keys in table.statements] == [[1, 2]]


async def test_lookups_share_the_next_statement():
    table = Table()
    lookup = SharedLookup(table.load)
    tasks = [*await start(lookup, 0), *await start(lookup, *range(1, 10), 5, 2000)]
    table.gate.set()

    assert await asyncio.gather(*tasks) == [*(f"value {number}" for number in range(10)), "value 5", None]
    assert [sorted(keys) for keys in table.statements] == [[0], [*range(1, 10), 2000]]


async def test_lookup_does_not_join_a_statement_that_runs():
    table = Table()
    lookup = SharedLookup(table.load)
    early = await start(lookup, 1)
    del table.values[1]
    late = await start(lookup, 1, 1)
    table.gate.set()

    assert await asyncio.gather(*early, *late) == ["value 1", None, None]


async def test_cancelled_lookup_does_not_touch_others():
    table = Table()
    lookup = SharedLookup(table.load)
    tasks = [*await start(lookup, 0), *await start(lookup, *range(1, 6))]
    for task in (tasks[0], tasks[3]):
        task.cancel()
    table.gate.set()

    found = await asyncio.gather(*tasks, return_exceptions=True)

    assert [each for each in found if isinstance(each, str)] == ["value 1", "value 2", "value 4", "value 5"]
    assert [sorted(keys) for keys in table.statements] == [[0], [1, 2, 4, 5]]


async def test_failed_statement_fails_what_shared_it():
    table = Table()
    table.error = ConnectionError("gone")
    lookup = SharedLookup(table.load)
    tasks = [*await start(lookup, 0), *await start(lookup, *range(1, 5))]
    table.gate.set()

    found = await asyncio.gather(*tasks, return_exceptions=True)

    assert found == ["value 0"] + [table.error] * 4
    table.error = None
    assert await lookup.find(7) == "value 7"


async def test_lookups_do_not_wait_behind_slow_statements(monkeypatch):
    table = Table()
    lookup = SharedLookup(table.load)
    loop = asyncio.get_running_loop()
    began_at = loop.time()
    tasks = []
    for turn in range(10):
        monkeypatch.setattr(loop, "time", lambda turn=turn: began_at + turn * 2 * SLOW_SECONDS)
        tasks += await start(lookup, 2 * turn)
        tasks += await start(lookup, 2 * turn + 1)
    begun = list(table.statements)
    monkeypatch.undo()
    table.gate.set()

    assert await asyncio.gather(*tasks) == [f"value {number}" for number in range(20)]
    # Each begins with what has waited since the one before; there are not more of them than that.
    assert [sorted(keys) for keys in begun] == [[0], [1, 2], [3, 4], [5, 6]]
    assert len(begun) == MAX_STATEMENTS


async def test_statement_has_a_limited_number_of_keys():
    table = Table()
    tasks = await start(SharedLookup(table.load), *range(2 * MAX_KEYS))
    table.gate.set()

    assert await asyncio.gather(*tasks) == [f"value {number}" for number in range(2 * MAX_KEYS)]
    assert max(map(len, table.statements)) == MAX_KEYS


@pytest.mark.usefixtures("app")
async def test_open_transaction_looks_up_in_itself():
    async def load(keys):
        return {key: await sql.fetch_value("SELECT txid_current_if_assigned()") for key in keys}

    lookup = SharedLookup(load)
    async with sql.transaction():
        own = await sql.fetch_value("SELECT txid_current()")
        assert await asyncio.gather(*(lookup.find(key) for key in range(1))) == [own]
    assert await lookup.find(1) is None
