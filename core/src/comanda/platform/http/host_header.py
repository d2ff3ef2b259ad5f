"""The host that requests name, which the framework turns into addresses."""

import re
from collections.abc import Iterable
from typing import Any, Final

import orjson
from hypercorn.typing import ASGISendCallable

from comanda.basics.errors import BadRequest

ABSOLUTE_TARGETS: Final = ("http://", "https://")
# Names of labels of up to 63 characters, or an address, and a port.
_LABEL: Final = rb"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62})"
_HOST: Final = re.compile(rb"(?:%b(?:\.%b)*\.?|\[[0-9A-Fa-f:.]{2,45}\])?(?::\d{0,5})?" % (_LABEL, _LABEL))


def is_host_valid(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Return whether a request names a host that can be one, and names it once; it may name none."""
    # Source: RFC 9112, section 3.2. Of two, a proxy may follow one and the pages the other.
    hosts = [value for name, value in headers if name == b"host"]
    return not hosts or (len(hosts) == 1 and _HOST.fullmatch(hosts[0]) is not None)


def normalize_target(scope: dict[str, Any]) -> None:
    """Change a request whose target is a whole URL, as proxies send it, into one of its path; its host counts."""
    # Source: RFC 9112, section 3.2.2.
    _, _, rest = scope["path"].partition("://")
    authority, _, path = rest.partition("/")
    scope["path"] = f"/{path}"
    if raw := scope.get("raw_path"):
        scope["raw_path"] = b"/" + raw.partition(b"://")[2].partition(b"/")[2]
    headers = [(name, value) for name, value in scope["headers"] if name != b"host"]
    scope["headers"] = [(b"host", authority.encode("latin-1", "replace")), *headers]


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
