"""HTTP/2 of hypercorn 0.18, where streams answered early or not read do not block others."""

from contextlib import suppress
from functools import partial
from typing import Any

import h2.events
from h2.errors import ErrorCodes
from h2.exceptions import ProtocolError
from hypercorn.protocol.events import Body
from hypercorn.protocol.h2 import H2Protocol

from comanda.operations.serving.http_server.request_queue import RequestQueue, RequestTasks


class Http2Protocol(H2Protocol):
    """Serves the streams of one connection.

    Bodies are acknowledged when the application reads them, so flow control limits what is buffered and the reader
    never waits. A stream whose response is complete before its request is reset with ``NO_ERROR`` (RFC 9113, 8.1).
    """

    def __init__(self, tasks: RequestTasks, *context: Any) -> None:
        app, config, worker, state, client, server, send = context
        super().__init__(app, config, worker, tasks, state, False, client, server, send)
        tasks.is_bounded = False
        self._tasks = tasks
        self._queues: dict[int, RequestQueue] = {}
        # Streams whose request is still being sent.
        self._incomplete: set[int] = set()
        # Bytes of each blocked response that wait, and since when their number has not changed.
        self._waiting: dict[int, tuple[int, float]] = {}

    def reset_stalled(self, now: float, timeout_seconds: float) -> None:
        """Reset streams whose response the client has not read for ``timeout_seconds``."""
        waiting = {}
        for stream_id, buffer in self.stream_buffers.items():
            if size := len(buffer.buffer):
                before, since = self._waiting.get(stream_id, (0, now))
                waiting[stream_id] = (size, since if before == size else now)
        self._waiting = waiting
        for stream_id, (_, since) in waiting.items():
            if now - since >= timeout_seconds:
                self.task_group.spawn(self._reset, stream_id, ErrorCodes.CANCEL)

    async def _handle_events(self, events: list[h2.events.Event]) -> None:
        for event in events:
            if isinstance(event, h2.events.RequestReceived) and event.stream_ended is None:
                self._incomplete.add(event.stream_id)
            elif isinstance(event, h2.events.StreamEnded | h2.events.StreamReset):
                self._incomplete.discard(event.stream_id)
            if isinstance(event, h2.events.DataReceived):
                await self._receive_data(event)
            else:
                await super()._handle_events([event])
        await self._flush()

    async def _receive_data(self, event: h2.events.DataReceived) -> None:
        data, stream = event.data, self.streams.get(event.stream_id)
        if stream is None or event.stream_id not in self._queues:
            self._acknowledge(event.stream_id, event.flow_controlled_length)
            return
        # Padding is acknowledged at once.
        self._acknowledge(event.stream_id, event.flow_controlled_length - len(data))
        await stream.handle(Body(stream_id=event.stream_id, data=data))

    async def _create_stream(self, request: h2.events.RequestReceived) -> None:
        await super()._create_stream(request)
        queue = self._queues[request.stream_id] = self._tasks.queue
        queue.on_taken = partial(self._on_body_taken, request.stream_id)

    async def _close_stream(self, stream_id: int) -> None:
        queue = self._queues.pop(stream_id, None)
        await super()._close_stream(stream_id)
        if queue is not None:
            # Unread bytes would shrink the window of the connection.
            self._acknowledge(stream_id, queue.size)
            queue.discard()

    async def _send_data(self, stream_id: int) -> None:
        try:
            await super()._send_data(stream_id)
        except KeyError:
            return  # the stream was reset meanwhile
        if stream_id not in self.stream_buffers and stream_id in self._incomplete:
            await self._reset(stream_id, ErrorCodes.NO_ERROR)

    async def _reset(self, stream_id: int, code: ErrorCodes) -> None:
        self._incomplete.discard(stream_id)
        with suppress(ProtocolError):  # it may be closed already
            self.connection.reset_stream(stream_id, error_code=code)
        if stream_id in self.stream_buffers:
            await self.stream_buffers[stream_id].close()
        await self._close_stream(stream_id)
        await self._window_updated(stream_id)
        await self._flush()

    async def _on_body_taken(self, stream_id: int, size: int) -> None:
        self._acknowledge(stream_id, size)
        await self._flush()

    def _acknowledge(self, stream_id: int, size: int) -> None:
        if size and not self.closed:
            self.connection.acknowledge_received_data(size, stream_id)
