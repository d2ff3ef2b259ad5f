"""Live pages: server-sent events of what is watched in this process, asked for together, however many watch it.

A plugin keeps one ``Watch`` for each kind of thing and answers with ``answer(watch.stream(key, render))``. Nothing is
announced by whoever writes: a change is seen at the next question, a second later, whichever process made it.
"""

import asyncio
import hashlib
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar
from weakref import WeakSet

import orjson
from quart import Response, stream_with_context
from tortoise.exceptions import OperationalError

from comanda.db.errors import TRANSIENT_ERRORS
from comanda.errors import Unavailable
from comanda.outages import Outage

K = TypeVar("K", bound=Hashable)

PAUSE_SECONDS: Final = 1.0
HEARTBEAT_SECONDS: Final = 10.0
# A browser opens the next connection by itself. Balancers and servers that are told to stop wait for answers under way,
# though not for ever.
MAX_STREAM_SECONDS: Final = 20.0
MAX_WATCHERS: Final = 1000
MAX_WATCHERS_OF_ONE: Final = 10

# The page stays open while the database is away.
TROUBLE: Final[tuple[type[Exception], ...]] = (*TRANSIENT_ERRORS, OperationalError)
RETRY: Final = b"retry: 1000\n\n"
# A comment, which keeps the connection open and is no event.
WAITING: Final = b": waiting\n\n"


@dataclass(frozen=True, slots=True)
class LiveMessage:
    """What a page is told: the name of the event, a document that becomes JSON, and whether nothing will follow."""

    event: str
    document: Mapping[str, Any]
    is_last: bool = False


class Watch(Generic[K]):
    """Who of this process watches what, and the one loop that asks for the state of it all while anybody does.

    ``ask`` takes the keys that are watched and returns the state of those that exist, as anything that can be compared:
    few columns read by an index, for it is asked every ``pause_seconds``, by default once a second. A key that it
    leaves out is in the state None. ``name`` is what the log says, such as ``tracking``.
    """

    def __init__(
        self,
        name: str,
        ask: Callable[[list[K]], Awaitable[Mapping[K, object]]],
        *,
        max_watchers: int = MAX_WATCHERS,
        max_watchers_of_one: int = MAX_WATCHERS_OF_ONE,
        pause_seconds: float | None = None,
    ) -> None:
        self.name = name
        self.max_watchers = max_watchers
        self.max_watchers_of_one = max_watchers_of_one
        self._pause_seconds = PAUSE_SECONDS if pause_seconds is None else pause_seconds
        self._ask = ask
        self._watchers: defaultdict[K, set[asyncio.Event]] = defaultdict(set)
        self._seen: dict[K, object] = {}
        self._looking: asyncio.Task[None] | None = None
        self._is_ended = False
        self._outage = Outage(f"live_{name}_database", "Pages stay open and wait.")
        _watches.add(self)

    @property
    def is_idle(self) -> bool:
        """Tell whether nobody watches and nothing is asked."""
        return not self._watchers and self._looking is None

    def check_room(self, key: K) -> None:
        """Raise ``Unavailable`` where one more would be too many, of this key or of all; call it before a stream."""
        is_full = sum(map(len, self._watchers.values())) >= self.max_watchers
        if is_full or len(self._watchers.get(key, ())) >= self.max_watchers_of_one:
            raise Unavailable("Too many pages are followed here now.", retry_after_seconds=30)

    @contextmanager
    def watching(self, key: K) -> Iterator[asyncio.Event]:
        """Give an event that is set whenever the state of ``key`` has changed, while the block runs."""
        changed = asyncio.Event()
        self._watchers[key].add(changed)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.get_running_loop().create_task(self._look())
        try:
            yield changed
        finally:
            self._watchers[key].discard(changed)
            if not self._watchers[key]:
                del self._watchers[key]
                self._seen.pop(key, None)
            if not self._watchers and self._looking is not None:
                self._looking.cancel()
                self._looking = None

    async def stream(
        self, key: K, render: Callable[[], Awaitable[LiveMessage]], last_event_id: str | None = None
    ) -> AsyncGenerator[bytes, None]:
        """Yield what ``render`` makes, as server-sent events: now, and whenever that differs after a change of state.

        ``render`` raises no error but those of a database that is away; what is gone is a last message to it. A page
        that was there before sends the id of the event that it had, and is not told the same again. The stream ends
        with a last message, after ``LONGEST_SECONDS``, or when the process stops; browsers come back by themselves.
        """
        loop = asyncio.get_running_loop()
        leaves_at = loop.time() + MAX_STREAM_SECONDS
        had = last_event_id
        yield RETRY
        with self.watching(key) as changed:
            while loop.time() < leaves_at and not self._is_ended:
                # Cleared, and its state noted, before it is read: what changes meanwhile rings again.
                changed.clear()
                try:
                    await self._note(key)
                    message = await render()
                except TROUBLE as error:
                    self._outage.begin(error)
                    yield WAITING
                    await asyncio.sleep(PAUSE_SECONDS)
                    continue
                event_id, event = _encoded(message)
                if event_id != had or message.is_last:
                    yield event
                    had = event_id
                if message.is_last:
                    return
                while not await _rings(changed) and loop.time() < leaves_at:
                    yield WAITING

    def end(self) -> None:
        """End every stream, and those to come, soon: the process stops."""
        self._is_ended = True
        for watchers in self._watchers.values():
            for changed in watchers:
                changed.set()

    async def _note(self, key: K) -> None:
        if key not in self._seen:
            state = (await self._ask([key])).get(key)
            self._seen.setdefault(key, state)

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(self._pause_seconds)
            # Those whose state is not noted yet read it themselves.
            keys = list(self._seen)
            try:
                states = await self._ask(keys) if keys else {}
            except TROUBLE as error:
                self._outage.begin(error)
                continue
            self._outage.end()
            for key in keys:
                self._compare(key, states.get(key))

    def _compare(self, key: K, state: object) -> None:
        if key not in self._seen or self._seen[key] == state:
            return
        self._seen[key] = state
        for changed in self._watchers[key]:
            changed.set()


_watches: WeakSet[Watch[Any]] = WeakSet()


def stream_answer(events: AsyncGenerator[bytes, None], headers: Mapping[str, str] | None = None) -> Response:
    """Make the response of a page's handler that sends ``events`` as they come, with the request's context to them."""

    @stream_with_context
    async def sent() -> AsyncGenerator[bytes, None]:
        # Closed with the connection, not when somebody collects what is left of it: until then it would be watching.
        async with aclosing(events):
            async for event in events:
                yield event

    # Proxies that collect answers before they pass them on would keep the events.
    told = {"Cache-Control": "no-store", **(headers or {}), "X-Accel-Buffering": "no"}
    response = Response(sent(), content_type="text/event-stream", headers=told)
    response.timeout = None
    return response


def end_all() -> None:
    """End every stream of this process, which is told to stop."""
    for watch in list(_watches):
        watch.end()


def _encoded(message: LiveMessage) -> tuple[str, bytes]:
    data = orjson.dumps(message.document)
    event_id = hashlib.blake2b(message.event.encode() + b"\0" + data, digest_size=9).hexdigest()
    return event_id, b"id: %b\nevent: %b\ndata: %b\n\n" % (event_id.encode(), message.event.encode(), data)


async def _rings(changed: asyncio.Event) -> bool:
    try:
        await asyncio.wait_for(changed.wait(), HEARTBEAT_SECONDS)
    except TimeoutError:
        return False
    return True
