"""Connections are accepted as fast as they come, in turns that processes with one socket share."""

import asyncio
import errno
import socket
import time

import pytest
from comanda.devkit.testing.polling import MAX_WAIT_SECONDS
from comanda.operations.serving.http_server import listener
from comanda.operations.serving.http_server.listener import Listener

CLIENTS = 60


class Server:
    """Listens on a socket and keeps the writers of its connections."""

    def __init__(self, sock):
        sock.bind(("127.0.0.1", 0))
        self.address = sock.getsockname()
        self.accepted = []
        self.listener = Listener(sock, self._create_protocol, 128)

    def _create_protocol(self):
        return asyncio.StreamReaderProtocol(asyncio.StreamReader(), self._accept)

    async def _accept(self, reader, writer):
        self.accepted.append(writer)
        writer.write(await reader.read(10))

    def connect(self):
        """Return a client that waits in the backlog."""
        return socket.create_connection(self.address)


@pytest.fixture
def serve():
    servers = []

    def start(sock=None):
        servers.append(Server(sock or socket.socket()))
        return servers[-1]

    yield start
    for server in servers:
        server.listener.close()
        for writer in server.accepted:
            writer.transport.abort()


async def count_turns_until(condition):
    turns = 0
    async with asyncio.timeout(MAX_WAIT_SECONDS):
        while not condition():
            turns += 1
            await asyncio.sleep(0)
    return turns


async def test_connection_is_served(serve):
    server = serve()
    reader, writer = await asyncio.open_connection(*server.address)
    writer.write(b"hello")

    assert await reader.read(10) == b"hello"
    writer.close()


async def test_connections_that_came_in_a_long_turn_are_accepted_in_the_next_ones(serve):
    server = serve()
    clients = [server.connect() for _ in range(CLIENTS)]
    await count_turns_until(lambda: server.accepted)
    time.sleep(CLIENTS * listener.SECONDS_PER_CONNECTION)  # noqa: ASYNC251 - the turn that takes long

    turns = await count_turns_until(lambda: len(server.accepted) == CLIENTS)

    assert turns < CLIENTS / 3
    for client in clients:
        client.close()


async def test_an_idle_process_takes_the_first_of_many_alone(serve, monkeypatch):
    monkeypatch.setattr(listener, "SECONDS_PER_CONNECTION", 10)
    server = serve()
    clients = [server.connect() for _ in range(CLIENTS)]

    turns = await count_turns_until(lambda: len(server.accepted) == CLIENTS)

    assert turns >= CLIENTS
    for client in clients:
        client.close()


async def test_no_descriptors_are_left_for_a_moment(serve, monkeypatch):
    class Exhausted(socket.socket):
        failures = 2

        def accept(self):
            if self.failures:
                self.failures -= 1
                raise OSError(errno.EMFILE, "Too many open files")
            return super().accept()

    monkeypatch.setattr(listener, "PAUSE_SECONDS", 0.05)
    server = serve(Exhausted())

    reader, writer = await asyncio.open_connection(*server.address)
    writer.write(b"hello")

    assert await asyncio.wait_for(reader.read(10), MAX_WAIT_SECONDS) == b"hello"
    writer.close()


async def test_a_listener_closed_once_or_twice_refuses_connections(serve):
    server = serve()
    server.listener.close()
    server.listener.close()

    with pytest.raises(ConnectionRefusedError):
        server.connect()
