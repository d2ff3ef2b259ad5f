"""The header ``Host`` of requests for pages, which the framework turns into addresses."""

import re
from collections.abc import Iterable
from typing import Final

import orjson
from hypercorn.typing import ASGISendCallable

from comanda.errors import BadRequest

# Names of labels of up to 63 characters, or an address, and a port.
_LABEL: Final = rb"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62})"
_HOST: Final = re.compile(rb"(?:%b(?:\.%b)*\.?|\[[0-9A-Fa-f:.]{2,45}\])?(?::\d{0,5})?" % (_LABEL, _LABEL))


def is_host_valid(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Return whether a request names a host that can be one; it may name none."""
    return all(_HOST.fullmatch(value) is not None for name, value in headers if name == b"host")


async def send_invalid_host(send: ASGISendCallable) -> None:
    """Answer a request with 400 and the envelope of errors."""
    error = BadRequest("The header Host is no host name.")
    await send(
        {
            "type": "http.response.start",
            "status": error.status,
            "headers": [(b"Content-Type", b"application/json"), (b"Connection", b"close")],
        }
    )
    await send({"type": "http.response.body", "body": orjson.dumps(error.envelope()), "more_body": False})
