"""Raw HTTP/1.1 requests for tests of connections."""

import socket

HEAD = "POST {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n"


def request_head(path="/refused", **headers):
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return HEAD.format(path=path, headers=lines).encode()


async def send_request(client, request):
    """Send a request and return the status and the body of its answer."""
    await client.send(request)
    status, _, body = await client.answer()
    return status, body


async def expect_end(client):
    """Check that the server closes the connection."""
    assert await client.rest() == b""
    client.close()


def connect_stalled(port, request, buffer=4096):
    """Connect a client that reads nothing, with a small receive buffer."""
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    plain.connect(("127.0.0.1", port))
    plain.sendall(request)
    return plain
