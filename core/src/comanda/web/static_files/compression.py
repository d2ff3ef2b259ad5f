"""Compression of the static files of pages, once per version of a file."""

import gzip
from typing import Final

from cachetools import LRUCache
from quart import Response, request

# Types that become much smaller; photos and fonts are compressed already.
COMPRESSED_TYPES: Final = frozenset({"text/css", "text/javascript", "application/javascript", "image/svg+xml"})
IMMUTABLE: Final = "immutable"
# Smaller files fit into one packet anyway.
MIN_BYTES: Final = 1000
MAX_CACHED_FILES: Final = 500

_compressed: LRUCache[tuple[str, str], bytes] = LRUCache(MAX_CACHED_FILES)


async def compress_static_file(response: Response) -> Response:
    """Compress a static file for a client that accepts it. Its tag becomes weak, as both forms have the same one.

    These are the files of blueprints, and what is served as immutable at an address of its version.
    """
    if not _is_compressible(response):
        return response
    response.vary.add("Accept-Encoding")
    if request.accept_encodings.quality("gzip") <= 0:
        return response
    etag, _ = response.get_etag()
    key = (request.path, etag or IMMUTABLE)
    body = _compressed.get(key)
    if body is None:
        plain = await response.get_data(as_text=False)
        body = _compressed[key] = gzip.compress(plain, mtime=0)
    response.set_data(body)
    response.headers["Content-Encoding"] = "gzip"
    response.headers.pop("Accept-Ranges", None)
    if etag is not None:
        response.set_etag(etag, weak=True)
    return response


def _is_compressible(response: Response) -> bool:
    return (
        request.method == "GET"
        and response.status_code == 200
        # Its version has a tag, or its address is of one version alone.
        and ((request.endpoint or "").endswith(".static") or IMMUTABLE in response.headers.get("Cache-Control", ""))
        and response.mimetype in COMPRESSED_TYPES
        and (response.content_length or 0) >= MIN_BYTES
        and "Content-Encoding" not in response.headers
    )
