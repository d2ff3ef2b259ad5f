"""Rendered pages that are the same for everybody, kept compressed and up to a number of bytes."""

from __future__ import annotations

import gzip
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from quart import Response, request

from comanda.platform.http.answers import matches_etag

CACHE_CONTROL: Final = "private, no-cache"


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A page, compressed."""

    gzipped: bytes
    etag: str
    content_type: str


class PageCache:
    """Keeps the pages that were read last, up to ``max_bytes`` of compressed text."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._pages: OrderedDict[Hashable, CachedPage] = OrderedDict()
        self._size = 0

    @property
    def size(self) -> int:
        """The bytes of all pages that are kept."""
        return self._size

    def get(self, key: Hashable) -> CachedPage | None:
        """Return a page, which is then the one that was read last."""
        page = self._pages.get(key)
        if page is not None:
            self._pages.move_to_end(key)
        return page

    def add(self, key: Hashable, text: str, content_type: str = "text/html; charset=utf-8") -> CachedPage:
        """Keep a page; those that were not read for longest make room for it."""
        plain = text.encode()
        page = CachedPage(gzip.compress(plain, 6, mtime=0), f'W/"{sha256(plain).hexdigest()[:24]}"', content_type)
        self._drop(key)
        self._pages[key] = page
        self._size += len(page.gzipped)
        while self._size > self._max_bytes and len(self._pages) > 1:
            self._drop(next(iter(self._pages)))
        return page

    def _drop(self, key: Hashable) -> None:
        dropped = self._pages.pop(key, None)
        self._size -= len(dropped.gzipped) if dropped is not None else 0


def to_response(page: CachedPage) -> Response:
    """Return a page as this request wants it: compressed, plain, or not at all if the browser has it already."""
    headers = {"ETag": page.etag, "Cache-Control": CACHE_CONTROL}
    if matches_etag(page.etag, request.headers.get("If-None-Match", "")):
        response = Response(b"", status=304, headers=headers)
    elif request.accept_encodings.quality("gzip") > 0:
        response = Response(page.gzipped, headers={**headers, "Content-Encoding": "gzip"})
    else:
        response = Response(gzip.decompress(page.gzipped), headers=headers)
    response.headers["Content-Type"] = page.content_type
    response.vary.add("Accept-Encoding")
    return response
