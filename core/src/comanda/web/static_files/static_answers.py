"""Answers with static files of the current version, kept in memory as they were sent, so that Quart makes each once."""

from typing import Any, Final

from cachetools import LRUCache
from hypercorn.typing import ASGISendCallable, ASGISendEvent, HTTPResponseBodyEvent, HTTPResponseStartEvent, HTTPScope

from comanda.web.static_files.static_versions import IMMUTABLE, VERSIONED_PATH, StaticFiles

MAX_BYTES: Final = 20_000_000
# The answer depends on them.
CONDITIONS: Final = frozenset({b"range", b"if-none-match", b"if-modified-since", b"if-range", b"if-match"})
CACHE_CONTROL: Final = (b"cache-control", IMMUTABLE.encode())

Key = tuple[str, bytes]
Kept = tuple[HTTPResponseStartEvent, HTTPResponseBodyEvent]


class StaticAnswers:
    """The kept answers of an application, by path and accepted encodings."""

    def __init__(self, files: StaticFiles) -> None:
        self._files = files
        self._kept: LRUCache[Key, Kept] = LRUCache(MAX_BYTES, getsizeof=lambda kept: len(kept[1]["body"]))

    async def send(self, scope: HTTPScope, send: ASGISendCallable) -> bool:
        """Send a kept answer; return False if there is none."""
        key = self._get_key(scope)
        if key is None or (kept := self._kept.get(key)) is None:
            return False
        for event in kept:
            await send(event)
        return True

    def keep(self, scope: HTTPScope, send: ASGISendCallable) -> ASGISendCallable:
        """Return ``send``, which also keeps the answer if browsers may."""
        key = self._get_key(scope)
        if key is None:
            return send
        start: HTTPResponseStartEvent | None = None
        body = bytearray()

        async def send_and_keep(event: ASGISendEvent) -> None:
            nonlocal start
            await send(event)
            if event["type"] == "http.response.start":
                start = event
            elif event["type"] == "http.response.body" and start is not None:
                body.extend(event["body"])
                is_whole = start["status"] == 200 and not event["more_body"]
                if is_whole and CACHE_CONTROL in start["headers"] and len(body) <= MAX_BYTES:
                    self._kept[key] = start, {"type": event["type"], "body": bytes(body), "more_body": False}

        return send_and_keep

    def _get_key(self, scope: HTTPScope) -> Key | None:
        """Return the key of a request for a file of the current version, None for any other request."""
        found = VERSIONED_PATH.match(scope["path"])
        if found is None or scope["method"] != "GET" or found[1] != self._files.get_version():
            return None
        headers: dict[bytes, Any] = dict(scope["headers"])
        return None if CONDITIONS & headers.keys() else (scope["path"], headers.get(b"accept-encoding", b""))
