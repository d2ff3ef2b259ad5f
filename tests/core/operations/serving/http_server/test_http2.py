"""HTTP/2 without TLS: a stream that is answered early, or that is not read, holds up no other."""

import asyncio

import h2.config
import h2.connection
import h2.events
import pytest
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS
from comanda.operations.serving.http_server import connection
from h2.errors import ErrorCodes


class Http2Client:
    """Speaks HTTP/2 on a connection of the server's."""

    def __init__(self, client):
        self._client = client
        self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True, header_encoding="utf-8"))
        self.bodies = {}
        self.statuses = {}
        self.ended = set()
        self.resets = {}
        self.acknowledges = True

    async def begin(self):
        self.h2.initiate_connection()
        await self.flush()

    async def flush(self):
        await self._client.send(self.h2.data_to_send())

    async def ask(self, path, *, ends=False):
        stream_id = self.h2.get_next_available_stream_id()
        headers = [(":method", "POST"), (":path", path), (":scheme", "http"), (":authority", "localhost")]
        self.h2.send_headers(stream_id, headers, end_stream=ends)
        await self.flush()
        return stream_id

    async def send_body(self, stream_id, body, *, ends=True):
        """Send as flow control allows."""
        while body:
            size = min(len(body), self.h2.local_flow_control_window(stream_id), self.h2.max_outbound_frame_size)
            if not size:
                await self.read()
                continue
            self.h2.send_data(stream_id, body[:size], end_stream=ends and size == len(body))
            body = body[size:]
            await self.flush()

    async def read(self):
        async with asyncio.timeout(MAX_WAIT_SECONDS):
            data = await self._client.reader.read(65_536)
        assert data, "the server closed the connection"
        for event in self.h2.receive_data(data):
            if isinstance(event, h2.events.ResponseReceived):
                self.statuses[event.stream_id] = dict(event.headers)[":status"]
            elif isinstance(event, h2.events.DataReceived):
                self.bodies[event.stream_id] = self.bodies.get(event.stream_id, b"") + event.data
                if self.acknowledges:
                    self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.StreamEnded):
                self.ended.add(event.stream_id)
            elif isinstance(event, h2.events.StreamReset):
                self.resets[event.stream_id] = event.error_code
        await self.flush()

    async def answer(self, stream_id):
        while stream_id not in self.ended:
            await self.read()
        return self.statuses[stream_id], self.bodies.get(stream_id, b"")


async def http2(server):
    client = Http2Client(await server.connect())
    await client.begin()
    return client


async def test_a_large_body_reaches_the_application_whole(serving, application):
    async with serving(application) as server:
        client = await http2(server)
        body = bytes(range(256)) * 2000
        stream = await client.ask("/echo")
        await client.send_body(stream, body)

        assert await client.answer(stream) == ("200", body)


async def test_early_answered_streams_keep_connection(serving, application):
    async with serving(application) as server:
        client = await http2(server)
        refused = [await client.ask("/refused") for _ in range(20)]
        for stream in refused:
            assert await client.answer(stream) == ("401", b"refused")
        while len(client.resets) < len(refused):
            await client.read()
        assert set(client.resets.values()) == {ErrorCodes.NO_ERROR}

        other = await client.ask("/echo")
        await client.send_body(other, b"still here")

        assert await client.answer(other) == ("200", b"still here")
        assert server.open == 1


async def test_a_body_on_its_way_to_an_answered_stream_is_no_error(serving, application):
    async with serving(application) as server:
        client = await http2(server)
        # More than the connection's window in all: what nobody takes is given back.
        for _ in range(5):
            stream = await client.ask("/late")
            await client.send_body(stream, bytes(30_000), ends=False)
            assert await client.answer(stream) == ("401", b"refused")

        other = await client.ask("/echo")
        await client.send_body(other, bytes(100_000))
        assert await client.answer(other) == ("200", bytes(100_000))


async def test_a_stream_that_is_not_read_is_reset_and_others_go_on(serving, application):
    async with serving(application, send_timeout_seconds=0.5) as server:
        client = await http2(server)
        client.acknowledges = False
        stalled = await client.ask("/large", ends=True)
        while stalled not in client.resets:
            await client.read()

        assert client.resets[stalled] == ErrorCodes.CANCEL
        # The window of the connection is used up by what was not acknowledged; headers are not subject to it.
        other = await client.ask("/echo", ends=True)
        assert await client.answer(other) == ("200", b"")


async def test_an_idle_connection_ends_and_pings_do_not_keep_it(serving, application, monkeypatch):
    monkeypatch.setattr(connection, "MAX_LINGER_SECONDS", 0.3)
    async with serving(application, keep_alive_timeout=0.3) as server:
        client = await http2(server)

        async def ping():
            while True:
                client.h2.ping(b"12345678")
                await client.flush()
                await asyncio.sleep(0.05)

        with pytest.raises(ConnectionError):
            await asyncio.wait_for(ping(), MAX_WAIT_SECONDS)
        await server.until_closed()


async def test_stopping_waits_for_open_streams(serving, application):
    async with serving(application) as server:
        client = await http2(server)
        stream = await client.ask("/late", ends=True)
        await asyncio.sleep(0.05)
        server.stopping.set()

        assert await client.answer(stream) == ("401", b"refused")
        await asyncio.wait_for(asyncio.shield(server.task), MAX_WAIT_SECONDS)
