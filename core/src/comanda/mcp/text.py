"""Takes out of results what no reader sees and a model might obey: control characters and turned writing direction."""

import re
from functools import lru_cache

import orjson

# Control characters but line break and tab, marks and overrides of the writing direction, and invisible tag letters.
# JSON escapes the first 32, so its escapes are read along, lest an escaped backslash before a "u" be taken for one.
UNSEEN = re.compile(
    r'(\\[\\"/nt])|\\[bfr]|\\u00[01][0-9a-f]'
    "|[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)
# How their encodings begin. Most results hold none of these, and looking for them costs next to nothing.
SIGNS = (b"\\u00", b"\\b", b"\\f", b"\\r", b"\x7f", b"\xc2", b"\xd8\x9c", b"\xe2\x80", b"\xe2\x81", b"\xf3\xa0")


def cleaned(json: bytes) -> bytes:
    """Return JSON without such characters."""
    if not any(sign in json for sign in SIGNS):
        return json
    return UNSEEN.sub(r"\1", json.decode()).encode()


def tool_result(json: bytes, *, is_error: bool) -> bytes:
    """Make the result of a call from the JSON of an object: as structured content, and as text for older clients."""
    json = cleaned(json)
    text = orjson.dumps(json.decode())
    ending = b',"isError":true}' if is_error else b',"isError":false}'
    return b'{"content":[{"type":"text","text":' + text + b'}],"structuredContent":' + json + ending


@lru_cache(maxsize=32)
def ready_result(json: bytes) -> bytes:
    """Make the result of ready JSON; menus are asked for again and again, in the same bytes."""
    return tool_result(json, is_error=False)
