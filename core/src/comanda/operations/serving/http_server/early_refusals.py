"""Rejection of requests before HTTP is parsed, which under overload would take the time of those in progress."""

import re
from functools import cache

import orjson

from comanda.basics.errors import ComandaError
from comanda.platform.http.cors import READABLE
from comanda.platform.http.overload import LoadShedder, create_overload_error

# A request that is anything but plain is parsed, and rejected by the application if need be.
REQUEST_LINE = re.compile(rb"(?:GET|POST|PUT|PATCH|DELETE) (/[!-~]*) HTTP/1\.1\r\n")
CONTENT_LENGTH = re.compile(rb"\r\ncontent-length: ?([0-9]{1,9})\r\n")
# What gives a request another end, or needs more than an answer.
SPECIAL = re.compile(rb"transfer-encoding|\r\n(?:connection|expect|upgrade|[ \t])|[^\r]\n|\r[^\n]|\0")


def find_early_refusal(shedder: LoadShedder, data: bytes) -> bytes | None:
    """Return the response to reject a request with that is complete in ``data``, or None to parse it."""
    if not shedder.is_overloaded:
        return None
    path = parse_path(data)
    retry_after = None if path is None else shedder.find_retry_after(path)
    return None if retry_after is None else _encode_overload(retry_after)


def parse_path(data: bytes) -> str | None:
    """Return the path if the bytes are exactly one plain HTTP/1.1 request, whose end is beyond doubt, or None."""
    line = REQUEST_LINE.match(data)
    if line is None:
        return None
    end = data.find(b"\r\n\r\n")
    if end < 0:
        return None
    head = data[: end + 2].lower()
    if SPECIAL.search(head) is not None:
        return None
    body_bytes = 0
    if b"content-length" in head:
        length = CONTENT_LENGTH.search(head)
        if length is None or head.count(b"content-length") > 1:
            return None
        body_bytes = int(length[1])
    if len(data) != end + 4 + body_bytes:
        return None
    return line[1].partition(b"?")[0].decode("ascii")


def encode_response(refusal: ComandaError, headers: dict[str, str]) -> bytes:
    """Return an error as a whole HTTP/1.1 response."""
    body = orjson.dumps(refusal.envelope())
    fields = {"content-type": "application/json", "content-length": str(len(body)), **headers, **refusal.headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {refusal.status} \r\n{lines}\r\n".encode() + body


# There are as many different ones as seconds that a client can be told to wait.
@cache
def _encode_overload(retry_after: int) -> bytes:
    return encode_response(create_overload_error(retry_after), READABLE)
