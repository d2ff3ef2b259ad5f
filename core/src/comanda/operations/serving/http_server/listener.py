"""The listening socket of a process, which accepts connections as fast as they come.

The event loop of uvloop accepts one connection per turn. When turns are long, because the process has much to do, new
connections would wait in the kernel, where nothing knows of them: they could be neither served in their order nor
refused in time.
"""

import asyncio
import errno
import socket
from collections.abc import Callable
from typing import Final

# What a turn accepts grows with the time since the one before, so that processes that share a socket get equal parts of
# many connections. After a longer time the process was idle, and the first of many is nothing that is overdue.
SECONDS_PER_CONNECTION: Final = 0.000_25
MAX_PER_TURN: Final = 64
MAX_TURN_SECONDS: Final = 0.1
# The kernel has no more descriptors or memory; connections wait this long in the backlog.
EXHAUSTED: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
PAUSE_SECONDS: Final = 1.0


class Listener:
    """Gives each connection of ``sock``, which it takes over, a protocol."""

    def __init__(self, sock: socket.socket, create_protocol: Callable[[], asyncio.Protocol], backlog: int) -> None:
        self._sock = sock
        self._create_protocol = create_protocol
        self._loop = asyncio.get_running_loop()
        self._last_turn_at = 0.0
        # Referenced, as the event loop keeps only weak references to tasks.
        self._opening: set[asyncio.Task[None]] = set()
        self._resume_timer: asyncio.TimerHandle | None = None
        sock.setblocking(False)
        sock.listen(backlog)
        self._resume()

    def close(self) -> None:
        """Accept no more connections; those in the backlog are refused by the kernel."""
        if self._resume_timer is not None:
            self._resume_timer.cancel()
        if self._sock.fileno() >= 0:
            self._loop.remove_reader(self._sock)
            self._sock.close()

    def _resume(self) -> None:
        self._loop.add_reader(self._sock, self._accept)

    def _accept(self) -> None:
        for _ in range(self._count_due()):
            try:
                connection, _ = self._sock.accept()
            except BlockingIOError:  # all are accepted
                break
            except ConnectionAbortedError:
                continue
            except OSError as error:
                if error.errno not in EXHAUSTED:
                    raise
                self._pause()
                break
            self._open(connection)

    def _count_due(self) -> int:
        """Return how many connections this turn may accept."""
        now = self._loop.time()
        turn_seconds, self._last_turn_at = now - self._last_turn_at, now
        if turn_seconds > MAX_TURN_SECONDS:
            return 1
        return min(1 + int(turn_seconds / SECONDS_PER_CONNECTION), MAX_PER_TURN)

    def _pause(self) -> None:
        self._loop.remove_reader(self._sock)
        self._resume_timer = self._loop.call_later(PAUSE_SECONDS, self._resume)

    def _open(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        task = self._loop.create_task(self._connect(connection))
        self._opening.add(task)
        task.add_done_callback(self._opening.discard)

    async def _connect(self, connection: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._create_protocol, connection)
        except OSError:  # the client has left
            connection.close()
