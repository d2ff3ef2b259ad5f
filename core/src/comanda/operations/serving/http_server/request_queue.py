"""Queue of the messages of one request, from the connection to the application."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from hypercorn.asyncio.task_group import TaskGroup, _handle
from hypercorn.config import Config
from hypercorn.typing import AppWrapper, ASGIReceiveEvent, ASGISendEvent, Scope

# A connection stops reading while this much of a body waits for the application.
MAX_QUEUED_BYTES = 65_536
DISCONNECT_TYPES = frozenset({"http.disconnect", "websocket.disconnect"})

AsgiMessage = dict[str, Any]


class RequestQueue:
    """A queue whose writer waits only while the reader may still read.

    ``before_wait`` is called before the application waits for a message, ``on_taken`` with the size of each body
    message that it read.
    """

    def __init__(self, *, is_bounded: bool) -> None:
        self.before_wait: Callable[[], Awaitable[None]] | None = None
        self.on_taken: Callable[[int], Awaitable[None]] | None = None
        # Bytes in the queue.
        self.size = 0
        self._is_bounded = is_bounded
        self._messages: deque[AsgiMessage] = deque()
        self._disconnect: AsgiMessage | None = None
        self._is_discarding = False
        self._arrived = asyncio.Event()
        self._taken = asyncio.Event()

    async def put(self, message: Any) -> None:
        """Add a message, waiting while the queue is full. A disconnect never waits and ends every wait."""
        if message["type"] in DISCONNECT_TYPES:
            self.disconnect(message)
            return
        if self._is_discarding or self._disconnect is not None:
            return
        self._messages.append(message)
        self.size += _get_size(message)
        self._arrived.set()
        while self._is_full():
            self._taken.clear()
            await self._taken.wait()

    async def get(self) -> Any:
        """Return the next message; after a disconnect, the disconnect."""
        while not self._messages:
            if self._disconnect is not None:
                return self._disconnect
            if self.before_wait is not None:
                await self.before_wait()
            self._arrived.clear()
            await self._arrived.wait()
        message = self._messages.popleft()
        if size := _get_size(message):
            self.size -= size
            self._taken.set()
            if self.on_taken is not None:
                await self.on_taken(size)
        return message

    def discard(self) -> None:
        """Discard queued and future messages, because the application has started its response."""
        self._is_discarding = True
        self._messages.clear()
        self.size = 0
        self._taken.set()

    def disconnect(self, message: AsgiMessage | None = None) -> None:
        """Release all waits; the application reads the queued messages, then the disconnect."""
        if self._disconnect is None:
            self._disconnect = message or {"type": "http.disconnect"}
        self._taken.set()
        self._arrived.set()

    def _is_full(self) -> bool:
        return self._is_bounded and self.size >= MAX_QUEUED_BYTES and self._disconnect is None


def _get_size(message: AsgiMessage) -> int:
    return len(message.get("body") or message.get("bytes") or message.get("text") or b"")


class RequestTasks(TaskGroup):
    """The tasks of one connection; each request has a ``RequestQueue``, the newest is ``queue``."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(loop)
        self.is_bounded = True
        self.queue = RequestQueue(is_bounded=True)
        self._queues: set[RequestQueue] = set()

    async def spawn_app(
        self, app: AppWrapper, config: Config, scope: Scope, send: Callable[[ASGISendEvent | None], Awaitable[None]]
    ) -> Callable[[ASGIReceiveEvent], Awaitable[None]]:
        """Run the application for one request."""
        queue = self.queue = RequestQueue(is_bounded=self.is_bounded)
        self._queues.add(queue)
        task = self._task_group.create_task(
            _handle(app, config, scope, queue.get, send, _refuse_threads, _refuse_threads)
        )
        task.add_done_callback(lambda _: self._finished(queue))
        return queue.put

    def disconnect(self) -> None:
        """Disconnect every request, because the client has left."""
        for queue in self._queues:
            queue.disconnect()

    def _finished(self, queue: RequestQueue) -> None:
        queue.disconnect()
        # They refer to the connection, which refers to these tasks.
        queue.before_wait = queue.on_taken = None
        self._queues.discard(queue)


def _refuse_threads(*_: Any) -> None:
    raise RuntimeError("Only WSGI applications run in threads; this is an ASGI application.")
