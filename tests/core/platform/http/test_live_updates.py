"""Live pages: who watches, what they are told, and when it ends."""

import asyncio
from collections import Counter
from dataclasses import dataclass

import asyncpg
import pytest
from comanda.accounts import administration
from comanda.basics.errors import Unavailable
from comanda.devkit.testing.polling import await_condition
from comanda.platform.db import sql
from comanda.platform.http import live_updates
from comanda.platform.http.live_updates import LiveMessage, Watch
from comanda.platform.tasks import notifier


class Board:
    """What is watched, in place of a database."""

    def __init__(self):
        self.states = {"a": 1, "b": 1}
        self.asked = []
        self.drawn = Counter()
        self.trouble = None
        self.watch = Watch("board", self._ask, max_watchers_of_one=2, max_watchers=3)

    async def _ask(self, keys):
        self.asked.append(sorted(keys))
        if self.trouble is not None:
            raise self.trouble
        return {key: self.states[key] for key in keys if key in self.states}

    async def _draw(self, key):
        self.drawn[key] += 1
        if key not in self.states:
            return LiveMessage("shown", {"gone": True}, is_last=True)
        return LiveMessage("shown", {"state": self.states[key]})

    def follow(self, key, known=None, **options):
        return self.watch.stream(key, lambda _state: self._draw(key), known, **options)


@pytest.fixture
def board(monkeypatch):
    monkeypatch.setattr(live_updates, "PAUSE_SECONDS", 0.02)
    monkeypatch.setattr(live_updates, "HEARTBEAT_SECONDS", 5)
    return Board()


async def next_event(stream):
    async with asyncio.timeout(120):
        async for chunk in stream:
            if b"data: " in chunk:
                return chunk.partition(b"data: ")[2].strip()
    return None


async def test_each_change_is_sent_once_to_all_watchers(board):
    one, two, other = board.follow("a"), board.follow("a"), board.follow("b")
    for stream in (one, two, other):
        assert await next_event(stream) == b'{"state":1}'

    board.states["a"] = 2

    assert await next_event(one) == await next_event(two) == b'{"state":2}'
    assert board.drawn == {"a": 4, "b": 1}
    for stream in (one, two, other):
        await stream.aclose()
    assert board.watch.is_idle


async def test_announced_change_of_another_process_is_sent_before_the_poll(app, database_url, monkeypatch, board):
    monkeypatch.setattr(live_updates, "PAUSE_SECONDS", 600)
    here, elsewhere = board.follow("a", store_id=7), board.follow("b", store_id=8)
    other_process = await asyncpg.connect(database_url)
    await next_event(here)
    await next_event(elsewhere)

    for state in (2, 3):
        board.asked.clear()
        board.states["a"] = state
        await other_process.execute("SELECT pg_notify($1, 'store_7')", notifier.CHANGES_CHANNEL)
        assert await next_event(here) == b'{"state":%d}' % state

    # The first may have come while this process began to listen, and looked for all that it may have missed.
    assert board.asked == [["a"]]
    for stream in (here, elsewhere):
        await stream.aclose()
    await other_process.close()


async def test_announced_change_is_sent_before_the_poll_once_it_is_committed(app, monkeypatch, board):
    monkeypatch.setattr(live_updates, "PAUSE_SECONDS", 600)
    stream = board.follow("a", store_id=7)
    await next_event(stream)

    async with sql.transaction():
        notifier.announce_change(7)
        await asyncio.sleep(0.1)
        board.states["a"] = 2

    assert await next_event(stream) == b'{"state":2}'
    assert board.drawn == {"a": 2}
    await stream.aclose()


async def test_streams_of_one_view_share_what_is_rendered(board):
    streams = [board.follow("a", view="kitchen"), board.follow("a", view="kitchen"), board.follow("b", view="bar")]
    for stream in streams:
        await next_event(stream)
    board.drawn.clear()

    board.states |= {"a": 2, "b": 3}
    seen = await asyncio.gather(*map(next_event, streams))

    assert seen == [b'{"state":2}', b'{"state":2}', b'{"state":3}']
    assert board.drawn == {"a": 1, "b": 1}
    for stream in streams:
        await stream.aclose()


async def test_new_stream_renders_what_older_streams_have_not_seen_yet(board, monkeypatch):
    monkeypatch.setattr(live_updates, "PAUSE_SECONDS", 600)
    older = board.follow("a", view="kitchen")
    await next_event(older)

    board.states["a"] = 2
    newer = board.follow("a", view="kitchen")

    assert await next_event(newer) == b'{"state":2}'
    for stream in (older, newer):
        await stream.aclose()


async def test_all_that_is_watched_is_asked_for_at_once(board):
    streams = [board.follow("a"), board.follow("a"), board.follow("b")]
    for stream in streams:
        await next_event(stream)
    board.asked.clear()

    async def is_asked_twice():
        return len(board.asked) >= 2

    await await_condition(is_asked_twice, "two questions")
    assert all(keys == ["a", "b"] for keys in board.asked)
    for stream in streams:
        await stream.aclose()


async def test_change_during_render_is_sent(board):
    async def draw(_state):
        document = {"state": board.states["a"]}
        board.states["a"] = 2
        return LiveMessage("shown", document)

    stream = board.watch.stream("a", draw)

    assert await next_event(stream) == b'{"state":1}'
    assert await next_event(stream) == b'{"state":2}'
    await stream.aclose()


async def test_deleted_resource_ends_stream(board):
    stream = board.follow("a")
    await next_event(stream)

    del board.states["a"]

    assert await next_event(stream) == b'{"gone":true}'
    assert await next_event(stream) is None
    assert board.watch.is_idle


async def test_too_many_watchers_are_refused_of_one_and_of_all(board):
    with board.watch.watching("a"), board.watch.watching("a"):
        with pytest.raises(Unavailable):
            board.watch.check_room("a")
        board.watch.check_room("b")
        with board.watch.watching("b"), pytest.raises(Unavailable):
            board.watch.check_room("c")
    board.watch.check_room("a")


async def test_streams_survive_unavailable_database(board):
    stream = board.follow("a")
    await next_event(stream)
    board.trouble = OSError("away")
    await asyncio.sleep(0.1)
    board.states["a"] = 2
    board.trouble = None

    assert await next_event(stream) == b'{"state":2}'
    await stream.aclose()


async def test_the_end_of_the_process_ends_every_stream_at_once(board):
    stream = board.follow("a")
    await next_event(stream)

    asyncio.get_running_loop().call_later(0.05, board.watch.end)

    assert await asyncio.wait_for(next_event(stream), 120) is None
    assert await next_event(board.follow("b")) is None
    assert board.watch.is_idle


async def test_streams_of_suspended_owners_alone_end(owner, other_owner, monkeypatch):
    monkeypatch.setattr(live_updates, "PAUSE_SECONDS", 0.05)
    watch = Watch("orders", list_unchanged)
    streams = [watch.stream(Order(each.id), show_order) for each in (owner, other_owner)]
    for stream in streams:
        await next_event(stream)

    await administration.suspend_owner(owner.id, "Unpaid")

    assert await next_event(streams[0]) is None
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(anext(streams[1]), 0.2)
    # And after the suspension was lifted they begin again.
    await administration.unsuspend_owner(owner.id)
    again = watch.stream(Order(owner.id), show_order)
    assert await next_event(again) == b'{"status":"new"}'
    await again.aclose()


@dataclass(frozen=True)
class Order:
    """What is watched, with its owner."""

    owner_id: int


async def list_unchanged(keys):
    return dict.fromkeys(keys, "new")


async def show_order(_state):
    return LiveMessage("shown", {"status": "new"})
