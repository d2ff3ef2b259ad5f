"""HTTP/1.1 of hypercorn 0.18, with a limit on unread bodies and without ambiguous framing."""

import asyncio
from dataclasses import replace
from typing import Any

import h11
from hypercorn.events import Closed, Event, RawData, Updated
from hypercorn.protocol.events import Body, Data, EndBody, Response
from hypercorn.protocol.events import Event as StreamEvent
from hypercorn.protocol.h11 import STREAM_ID, H2ProtocolAssumedError, H11Protocol
from hypercorn.typing import H11SendableEvent

from comanda.operations.serving.http_server.request_queue import RequestTasks

# A response waits this long for the rest of a small body before it closes the connection.
DISCARD_SECONDS = 1.0
REQUEST_TIMEOUT = 408


class Http1Protocol(H11Protocol):
    """Serves the requests of one connection in turn.

    A response that starts before the request body has arrived either waits for a small rest of it, which is discarded,
    or carries ``Connection: close``: a connection is never reused while bytes of an answered request may follow.
    """

    def __init__(self, tasks: RequestTasks, max_discarded_bytes: int, *context: Any) -> None:
        app, config, worker, state, client, server, send = context
        super().__init__(app, config, worker, tasks, state, False, client, server, send)
        self._tasks = tasks
        self._max_discarded_bytes = max_discarded_bytes
        self._is_discarding = False
        self._discarded_bytes = 0
        self._received_bytes = 0
        self._discarded = asyncio.Event()
        # The head of a response that has begun, until its body follows.
        self._head = b""
        self._head_timer: asyncio.Handle | None = None
        self._head_task: asyncio.Task[None] | None = None

    async def handle(self, event: Event) -> None:
        """Handle received bytes or the end of the connection."""
        if isinstance(event, Closed):
            # Neither the rest of a body nor another request will follow.
            self._discarded.set()
            await self.can_read.set()
        elif self.connection.their_state is h11.MUST_CLOSE:
            return  # nothing may follow the last request
        await super().handle(event)

    async def stream_send(self, event: StreamEvent) -> None:
        """Send a part of the response."""
        if isinstance(event, Response) and event.status_code >= 200 and await self._must_close_after(event.status_code):
            event = replace(event, headers=[*event.headers, (b"connection", b"close")])
        await super().stream_send(event)

    async def _send_h11_event(self, event: H11SendableEvent) -> None:
        """Send an event; the head of a response is sent with the first part of its body, in one packet.

        Every packet costs a system call, which is a large part of a small response. A head whose body is not there yet
        is sent before the event loop waits.
        """
        try:
            data = self.connection.send(event)
        except h11.LocalProtocolError:
            if self.connection.their_state != h11.ERROR:
                raise
            return
        if isinstance(event, h11.Response):
            self._head = data
            self._head_timer = asyncio.get_running_loop().call_soon(self._begin_sending_head)
        else:
            await self.send(RawData(data=self._take_head() + data))

    def _begin_sending_head(self) -> None:
        self._head_timer = None
        self._head_task = asyncio.get_running_loop().create_task(self._send_head())

    async def _send_head(self) -> None:
        self._head_task = None
        # The body may have taken it along meanwhile.
        if head := self._take_head():
            await self.send(RawData(data=head))

    def _take_head(self) -> bytes:
        head, self._head = self._head, b""
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
        return head

    async def _must_close_after(self, status: int) -> bool:
        if self.context.terminated.is_set():
            return True
        if self.connection.their_state is not h11.SEND_BODY:
            return False
        self._is_discarding = True
        self._tasks.queue.discard()
        if self.connection.they_are_waiting_for_100_continue or status == REQUEST_TIMEOUT:
            return True
        if self._get_declared_bytes() - self._received_bytes > self._max_discarded_bytes:
            return True
        try:
            async with asyncio.timeout(DISCARD_SECONDS):
                await self._discarded.wait()
        except TimeoutError:
            return True
        return not self._has_whole_body()

    def _has_whole_body(self) -> bool:
        return self.connection.their_state is h11.DONE

    def _get_declared_bytes(self) -> int:
        headers = self.stream.scope["headers"] if self.stream is not None else ()
        return next((int(value) for name, value in headers if name == b"content-length"), 0)

    async def _handle_events(self) -> None:
        while self.connection.their_state is not h11.MUST_CLOSE:
            try:
                event = self.connection.next_event()
            except h11.RemoteProtocolError as error:
                await self._refuse(error.error_status_hint)
                return
            if isinstance(event, h11.Request):
                await self._begin(event)
            elif isinstance(event, h11.Data):
                await self._receive_data(event.data)
            elif isinstance(event, h11.EndOfMessage):
                self._discarded.set()
                if self.stream is not None and not self._is_discarding:
                    await self.stream.handle(EndBody(stream_id=STREAM_ID))
            elif event is h11.PAUSED:
                # The client already sent its next request. After the response the connection is either ready for it or
                # closed.
                await self.can_read.clear()
                await self.can_read.wait()
                if self.connection.our_state is not h11.IDLE:
                    return
            elif isinstance(event, Data) and self.stream is not None:
                await self.stream.handle(event)
            else:
                return

    async def _begin(self, request: h11.Request) -> None:
        await self.send(Updated(idle=False))
        self._is_discarding = False
        self._discarded_bytes = self._received_bytes = 0
        self._discarded.clear()
        await self._check_protocol(request)
        if _has_ambiguous_framing(request):
            await self._refuse(400)
            return
        await self._create_stream(request)
        self._tasks.queue.before_wait = self._send_continue

    async def _receive_data(self, data: bytes) -> None:
        self._received_bytes += len(data)
        if self._is_discarding:
            self._discarded_bytes += len(data)
            if self._discarded_bytes > self._max_discarded_bytes:
                self._discarded.set()
        elif self.stream is not None:
            await self.stream.handle(Body(stream_id=STREAM_ID, data=data))

    async def _refuse(self, status: int) -> None:
        """Send an error response, unless a response has started, and close the connection."""
        if self.connection.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            await self._send_error_response(status)
        self._discarded.set()
        await self._close_stream()
        await self.send(Closed())

    async def _send_continue(self) -> None:
        if self.connection.they_are_waiting_for_100_continue:
            headers = self.config.response_headers("h11")
            await self._send_h11_event(h11.InformationalResponse(status_code=100, headers=headers))

    async def _check_protocol(self, event: h11.Request) -> None:
        # Clients start with HTTP/2 directly. Upgrades are not offered: through proxies that forward the header a client
        # could reach protected paths.
        if event.method == b"PRI" and event.target == b"*" and event.http_version == b"2.0":
            raise H2ProtocolAssumedError(b"PRI * HTTP/2.0\r\n\r\n" + self.connection.trailing_data[0])


def _has_ambiguous_framing(request: h11.Request) -> bool:
    """Return whether a proxy may see a different end of the body: RFC 9112, 6.1 and 6.3."""
    has_length = is_chunked = False
    for name, _ in request.headers:
        if name == b"content-length":
            has_length = True
        elif name == b"transfer-encoding":
            is_chunked = True
    return is_chunked and (has_length or request.http_version < b"1.1")
