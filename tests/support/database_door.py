"""A TCP port before a PostgreSQL server, which stays or breaks while the port refuses new connections."""

import socket
import struct
import threading
from contextlib import suppress
from urllib.parse import parse_qs, urlsplit

SSL_REQUEST = 80877103


class DatabaseDoor:
    """Passes connections on to a server at a Unix socket, or answers each new one with an error, as told.

    Connections that have been passed on stay. ``refused`` counts the others.
    """

    def __init__(self, url):
        parts = urlsplit(url)
        self._target = parse_qs(parts.query)["host"][0] + "/.s.PGSQL.5432"
        self._error = None
        self.refused = 0
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.url = f"postgres://comanda@127.0.0.1:{self.port}{parts.path}"
        threading.Thread(target=self._accept, daemon=True).start()

    def refuse(self, sqlstate, message):
        """Answer new connections with an error, such as 53300: too many clients."""
        fields = f"SFATAL\0VFATAL\0C{sqlstate}\0M{message}\0\0".encode()
        self._error = b"E" + struct.pack("!i", len(fields) + 4) + fields

    def hang_up(self):
        """Close new connections at once, as a host does that is away."""
        self._error = b""

    def open(self):
        self._error = None

    def close(self):
        # A thread that waits in ``accept`` is not woken by closing alone.
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self):
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                threading.Thread(target=self._pass_on if self._error is None else self._refuse, args=(client,)).start()

    def _refuse(self, client):
        error = self._error
        with client, suppress(OSError, struct.error):
            while error:
                length, code = struct.unpack("!ii", client.recv(8))
                if code != SSL_REQUEST:
                    client.recv(length)
                    client.sendall(error)
                    break
                client.sendall(b"N")
        self.refused += 1

    def _pass_on(self, client):
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(self._target)
            back = threading.Thread(target=_copy, args=(server, client))
            back.start()
            _copy(client, server)
            back.join()


def _copy(source, target):
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    for end in (source, target):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
