"""The visibility of a delivery's personal data, for its endpoint and for readers of the log."""

from collections.abc import Collection

import orjson
from comanda.platform import runtime
from comanda.platform.events import hide_personal_data, is_fully_visible


def shows_whole_body(event: str, scopes: Collection[str]) -> bool:
    """Return whether ``scopes`` show all personal data of the event."""
    return is_fully_visible(runtime.registry().events.get(event), scopes)


def redact_body(event: str, body: bytes, scopes: Collection[str]) -> bytes:
    """Return a delivery's body with null for personal data outside ``scopes``.

    A body that needs no redaction is returned unchanged, byte for byte. Stored bodies are redacted to the scopes that
    the endpoint had then; it may have fewer now.
    """
    kind = runtime.registry().events.get(event)
    if is_fully_visible(kind, scopes):
        return body
    document = orjson.loads(body)
    return orjson.dumps({**document, "data": hide_personal_data(kind, document["data"], scopes)})
