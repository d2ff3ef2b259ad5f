"""Live pages: server-sent events, fed by one shared poll per process however many clients watch.

A plugin creates one ``Watch`` per kind of resource and answers with ``stream_answer(watch.stream(key, render))``.
Writers announce nothing: the next poll, a second later, finds the change, whichever process made it.
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

from comanda.basics.errors import Unavailable
from comanda.basics.outages import Outage
from comanda.platform.db import sql
from comanda.platform.db.errors import TRANSIENT_ERRORS

K = TypeVar("K", bound=Hashable)

PAUSE_SECONDS: Final = 1.0
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


class Watch(Generic[K]):
    """The watchers of this process, and the loop that polls the state of all watched keys while there are any.

    ``load_states`` takes the watched keys and returns the state of those that exist, as any comparable value. It should
    read few columns by an index, because it runs every ``pause_seconds``, by default once a second. A missing key has
    the state None. ``name`` appears in log lines, such as ``tracking``.

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
        pause_seconds: float | None = None,
    ) -> None:
        self.name = name
        self.max_watchers = max_watchers
        self.max_watchers_of_one = max_watchers_of_one
        self._pause_seconds = PAUSE_SECONDS if pause_seconds is None else pause_seconds
        self._load_states = load_states
        self._watchers: defaultdict[K, set[asyncio.Event]] = defaultdict(set)
        self._known_states: dict[K, object] = {}
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
    def watching(self, key: K) -> Iterator[asyncio.Event]:
        """Yield an event that is set whenever the state of ``key`` changes while the block runs."""
        changed = asyncio.Event()
        self._watchers[key].add(changed)
        # Whoever begins to watch was let in just now. What was read before may be out of date.
        self._suspended.discard(_get_owner(key))
        if self._poll_task is None or self._poll_task.done():
            self._poll_task = asyncio.get_running_loop().create_task(self._poll())
        try:
            yield changed
        finally:
            self._watchers[key].discard(changed)
            if not self._watchers[key]:
                del self._watchers[key]
                self._known_states.pop(key, None)
            if not self._watchers and self._poll_task is not None:
                self._poll_task.cancel()
                self._poll_task = None

    async def stream(
        self, key: K, render: Callable[[], Awaitable[LiveMessage]], last_event_id: str | None = None
    ) -> AsyncGenerator[bytes, None]:
        """Yield the messages of ``render`` as server-sent events: now, and whenever it differs after a change of state.

        ``render`` raises no errors other than those of an unavailable database; for a deleted resource it returns a
        last message. A reconnecting page sends the id of its last event and does not receive the same event again. The
        stream ends with a last message, after ``MAX_STREAM_SECONDS``, when the owner is suspended, or when the process
        stops; browsers reconnect.
        """
        loop = asyncio.get_running_loop()
        ends_at = loop.time() + MAX_STREAM_SECONDS
        previous_id = last_event_id
        yield RETRY
        with self.watching(key) as changed:
            while loop.time() < ends_at and not self._is_ended and _get_owner(key) not in self._suspended:
                # Clear the event and load the state before rendering, so that changes made meanwhile set it again.
                changed.clear()
                try:
                    await self._load_state(key)
                    message = await render()
                except DATABASE_ERRORS as error:
                    self._outage.begin(error)
                    yield WAITING
                    await asyncio.sleep(PAUSE_SECONDS)
                    continue
                event_id, event = _encode_event(message)
                if event_id != previous_id or message.is_last:
                    yield event
                    previous_id = event_id
                if message.is_last:
                    return
                while not await _wait_for_change(changed) and loop.time() < ends_at:
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

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(self._pause_seconds)
            # Streams whose state is not known yet load it themselves.
            keys = list(self._known_states)
            try:
                states = await self._load_states(keys) if keys else {}
                await self._end_suspended()
            except DATABASE_ERRORS as error:
                self._outage.begin(error)
                continue
            self._outage.end()
            for key in keys:
                self._compare(key, states.get(key))

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


async def _wait_for_change(changed: asyncio.Event) -> bool:
    try:
        await asyncio.wait_for(changed.wait(), HEARTBEAT_SECONDS)
    except TimeoutError:
        return False
    return True
