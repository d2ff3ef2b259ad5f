"""Live pages: server-sent events, fed by one shared load per process however many clients watch.

A plugin creates one ``Watch`` per kind of resource and answers with ``stream_answer(watch.stream(key, render))``.
A writer announces its change with ``notifier.announce_change``, as every event of a store does. The poll, once a
second, finds what was not announced.
"""

import asyncio
import hashlib
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable, Iterator, Mapping
from contextlib import aclosing, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Generic, TypeVar
from weakref import WeakSet, WeakValueDictionary

import orjson
from quart import Response, stream_with_context
from tortoise.exceptions import OperationalError

from comanda.basics.errors import Unavailable
from comanda.basics.keyed_locks import KeyedLocks
from comanda.basics.outages import Outage
from comanda.platform.db import sql
from comanda.platform.db.errors import TRANSIENT_ERRORS
from comanda.platform.tasks import notifier

K = TypeVar("K", bound=Hashable)

PAUSE_SECONDS: Final = 1.0
# Loading and rendering take at most a third of the time, however often something changes.
REST_RATIO: Final = 2
MAX_REST_SECONDS: Final = 0.5
HEARTBEAT_SECONDS: Final = 10.0
# Browsers reconnect by themselves. Load balancers and stopping servers wait for open responses, but not for ever.
MAX_STREAM_SECONDS: Final = 20.0
# How often a process asks whose owners were suspended.
SUSPENSION_PAUSE_SECONDS: Final = 2.0
SELECT_SUSPENDED_OWNERS: Final = "SELECT id FROM core_owner WHERE id = ANY($1::bigint[]) AND is_suspended"
MAX_WATCHERS: Final = 1000
MAX_WATCHERS_PER_KEY: Final = 10

# Streams stay open while the database is unavailable.
DATABASE_ERRORS: Final[tuple[type[Exception], ...]] = (*TRANSIENT_ERRORS, OperationalError)
RETRY: Final = b"retry: 1000\n\n"
# A comment, which keeps the connection open without being an event.
WAITING: Final = b": waiting\n\n"


@dataclass(frozen=True, slots=True)
class LiveMessage:
    """A message for a page: the name of the event, a document to send as JSON, and whether it is the last message."""

    event: str
    document: Mapping[str, Any]
    is_last: bool = False


@dataclass(eq=False)
class _Rendered:
    """A rendered event, and when its rendering began."""

    began_at: float
    event_id: str
    event: bytes
    is_last: bool


class Watch(Generic[K]):
    """The watchers of this process, and the loop that loads the state of watched keys while there are any.

    ``load_states`` takes the watched keys and returns the state of those that exist, as any comparable value. It should
    read few columns by an index, because it runs once a second for all keys, and at each announced change for those of
    the store. A missing key has the state None. ``name`` appears in log lines, such as ``tracking``.

    A key with an ``owner_id`` is that owner's: its streams end within seconds when the owner is suspended. What else
    the watchers were allowed to see when their streams began, they see until these end.
    """

    def __init__(
        self,
        name: str,
        load_states: Callable[[list[K]], Awaitable[Mapping[K, object]]],
        *,
        max_watchers: int = MAX_WATCHERS,
        max_watchers_of_one: int = MAX_WATCHERS_PER_KEY,
    ) -> None:
        self.name = name
        self.max_watchers = max_watchers
        self.max_watchers_of_one = max_watchers_of_one
        self._load_states = load_states
        self._watchers: defaultdict[K, set[asyncio.Event]] = defaultdict(set)
        self._known_states: dict[K, object] = {}
        self._changed_at: dict[K, float] = {}
        self._announced: set[K] = set()
        self._is_announced = asyncio.Event()
        self._rendered: WeakValueDictionary[Hashable, _Rendered] = WeakValueDictionary()
        self._locks = KeyedLocks()
        self._rests_until = 0.0
        self._poll_task: asyncio.Task[None] | None = None
        self._suspended: set[int | None] = set()
        self._suspended_read_at = -SUSPENSION_PAUSE_SECONDS
        self._is_ended = False
        self._outage = Outage(f"live_{name}_database", "Pages stay open and wait.")
        _watches.add(self)

    @property
    def is_idle(self) -> bool:
        """Whether there are no watchers and no poll is running."""
        return not self._watchers and self._poll_task is None

    def check_room(self, key: K) -> None:
        """Raise ``Unavailable`` if the key or the process has too many watchers; call it before a stream starts."""
        is_full = sum(map(len, self._watchers.values())) >= self.max_watchers
        if is_full or len(self._watchers.get(key, ())) >= self.max_watchers_of_one:
            raise Unavailable("Too many live pages are open. Try again shortly.", retry_after_seconds=30)

    @contextmanager
    def watching(self, key: K, store_id: int | None = None) -> Iterator[asyncio.Event]:
        """Yield an event that is set whenever the state of ``key`` changes while the block runs.

        With ``store_id`` it is set as soon as a change of the store is announced, else after the next poll.
        """
        changed = asyncio.Event()
        self._watchers[key].add(changed)
        # Whoever begins to watch was let in just now. What was read before may be out of date.
        self._suspended.discard(_get_owner(key))
        if self._poll_task is None or self._poll_task.done():
            self._poll_task = asyncio.get_running_loop().create_task(self._poll())
        hear = partial(self._hear, key)
        try:
            with nullcontext() if store_id is None else notifier.listen_for_changes(store_id, hear):
                yield changed
        finally:
            self._watchers[key].discard(changed)
            if not self._watchers[key]:
                del self._watchers[key]
                self._known_states.pop(key, None)
                self._changed_at.pop(key, None)
            if not self._watchers and self._poll_task is not None:
                self._poll_task.cancel()
                self._poll_task = None

    async def stream(
        self,
        key: K,
        render: Callable[[object], Awaitable[LiveMessage]],
        last_event_id: str | None = None,
        *,
        store_id: int | None = None,
        view: Hashable = None,
    ) -> AsyncGenerator[bytes, None]:
        """Yield the messages of ``render`` as server-sent events: now, and whenever it differs after a change of state.

        ``render`` takes the state of the key and raises no errors other than those of an unavailable database; for a
        deleted resource it returns a last message. Streams of an equal ``view`` share what one of them renders.
        ``store_id`` is the store whose announced changes are sent at once.

        A reconnecting page sends the id of its last event and does not receive the same event again. The
        stream ends with a last message, after ``MAX_STREAM_SECONDS``, when the owner is suspended, or when the process
        stops; browsers reconnect.
        """
        loop = asyncio.get_running_loop()
        began_at = loop.time()
        previous_id = last_event_id
        yield RETRY
        # However slowly that is taken, a stream says how things are.
        ends_at = loop.time() + MAX_STREAM_SECONDS
        with self.watching(key, store_id) as changed:
            while loop.time() < ends_at and not self._is_ended and _get_owner(key) not in self._suspended:
                # Clear the event and load the state before rendering, so that changes made meanwhile set it again.
                changed.clear()
                try:
                    await self._load_state(key)
                    made = await self._render(key, render, object() if view is None else view, began_at)
                except DATABASE_ERRORS as error:
                    self._outage.begin(error)
                    yield WAITING
                    await asyncio.sleep(PAUSE_SECONDS)
                    continue
                if made.event_id != previous_id or made.is_last:
                    yield made.event
                    previous_id = made.event_id
                if made.is_last:
                    return
                while not await _wait_for(changed, HEARTBEAT_SECONDS) and loop.time() < ends_at:
                    yield WAITING

    def end(self) -> None:
        """Stop all streams, current and new, because the process stops."""
        self._is_ended = True
        for watchers in self._watchers.values():
            for changed in watchers:
                changed.set()

    async def _load_state(self, key: K) -> None:
        if key not in self._known_states:
            state = (await self._load_states([key])).get(key)
            self._known_states.setdefault(key, state)

    async def _render(
        self, key: K, render: Callable[[object], Awaitable[LiveMessage]], view: Hashable, began_at: float
    ) -> _Rendered:
        """Return what was rendered of a view since the last change and since the stream began."""
        loop = asyncio.get_running_loop()
        async with self._locks[view]:
            made = self._rendered.get(view)
            if made is None or made.began_at < max(began_at, self._changed_at.get(key, 0.0)):
                moment = loop.time()
                message = await render(self._known_states[key])
                made = self._rendered[view] = _Rendered(moment, *_encode_event(message), message.is_last)
                self._rest(loop.time() - moment)
            return made

    def _hear(self, key: K) -> None:
        self._announced.add(key)
        self._is_announced.set()

    def _rest(self, worked_seconds: float) -> None:
        """Delay changes, so that those of the meantime are loaded and rendered together."""
        now = asyncio.get_running_loop().time()
        self._rests_until = min(max(self._rests_until, now) + REST_RATIO * worked_seconds, now + MAX_REST_SECONDS)

    async def _poll(self) -> None:
        """Load the states of what was announced, and those of all keys once a second."""
        loop = asyncio.get_running_loop()
        poll_at = loop.time() + PAUSE_SECONDS
        while True:
            await _wait_for(self._is_announced, poll_at - loop.time())
            await asyncio.sleep(self._rests_until - loop.time())
            self._is_announced.clear()
            announced, self._announced = self._announced, set()
            began_at = loop.time()
            is_poll = began_at >= poll_at
            # Streams whose state is not known yet load it themselves.
            keys = [key for key in self._known_states if is_poll or key in announced]
            try:
                states = await self._load_states(keys) if keys else {}
                await self._end_suspended()
            except DATABASE_ERRORS as error:
                self._outage.begin(error)
                poll_at = loop.time()
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            self._outage.end()
            if is_poll:
                poll_at = began_at + PAUSE_SECONDS
            for key in keys:
                self._compare(key, states.get(key))
            self._rest(loop.time() - began_at)

    async def _end_suspended(self) -> None:
        """Wake the streams of suspended owners, which then end."""
        moment = asyncio.get_running_loop().time()
        if moment - self._suspended_read_at < SUSPENSION_PAUSE_SECONDS:
            return
        self._suspended_read_at = moment
        owners = {owner_id for key in self._watchers if (owner_id := _get_owner(key)) is not None}
        rows = await sql.fetch(SELECT_SUSPENDED_OWNERS, list(owners)) if owners else []
        self._suspended = {row["id"] for row in rows}
        for key, watchers in self._watchers.items():
            if _get_owner(key) in self._suspended:
                for changed in watchers:
                    changed.set()

    def _compare(self, key: K, state: object) -> None:
        if key not in self._known_states or self._known_states[key] == state:
            return
        self._known_states[key] = state
        self._changed_at[key] = asyncio.get_running_loop().time()
        for changed in self._watchers[key]:
            changed.set()


_watches: WeakSet[Watch[Any]] = WeakSet()


def stream_answer(events: AsyncGenerator[bytes, None], headers: Mapping[str, str] | None = None) -> Response:
    """Return a response that sends ``events`` as they come, within the request context."""

    @stream_with_context
    async def send_events() -> AsyncGenerator[bytes, None]:
        # Close the generator with the connection, not at garbage collection: until then it would keep watching.
        async with aclosing(events):
            async for event in events:
                yield event

    # Proxies that buffer responses would hold the events back.
    all_headers = {"Cache-Control": "no-store", **(headers or {}), "X-Accel-Buffering": "no"}
    response = Response(send_events(), content_type="text/event-stream", headers=all_headers)
    response.timeout = None
    return response


def end_all_streams() -> None:
    """Stop every stream of this process, because it stops."""
    for watch in list(_watches):
        watch.end()


def _get_owner(key: Hashable) -> int | None:
    owner_id: int | None = getattr(key, "owner_id", None)
    return owner_id


def _encode_event(message: LiveMessage) -> tuple[str, bytes]:
    data = orjson.dumps(message.document)
    event_id = hashlib.blake2b(message.event.encode() + b"\0" + data, digest_size=9).hexdigest()
    return event_id, b"id: %b\nevent: %b\ndata: %b\n\n" % (event_id.encode(), message.event.encode(), data)


async def _wait_for(event: asyncio.Event, seconds: float) -> bool:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return False
    return True
