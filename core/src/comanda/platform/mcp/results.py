"""Encoding of tool results, without characters that are invisible to people but could instruct a model."""

import re
from functools import lru_cache

import orjson

# Control characters except line break and tab, marks and overrides of the writing direction, and invisible tag letters.
# JSON escapes the first 32, so the pattern also matches other escapes: an escaped backslash may precede a "u".
INVISIBLE = re.compile(
    r'(\\[\\"/nt])|\\[bfr]|\\u00[01][0-9a-f]'
    "|[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)
# The first bytes of their encodings. Most results have none of these, and searching for them is cheap.
INVISIBLE_PREFIXES = (
    b"\\u00",
    b"\\b",
    b"\\f",
    b"\\r",
    b"\x7f",
    b"\xc2",
    b"\xd8\x9c",
    b"\xe2\x80",
    b"\xe2\x81",
    b"\xf3\xa0",
)


def clean_text(json: bytes) -> bytes:
    """Return JSON without invisible characters."""
    if not any(prefix in json for prefix in INVISIBLE_PREFIXES):
        return json
    return INVISIBLE.sub(r"\1", json.decode()).encode()


def encode_result(json: bytes, *, is_error: bool) -> bytes:
    """Return the result of a call with a JSON object as structured content, and as text for older clients."""
    json = clean_text(json)
    text = orjson.dumps(json.decode())
    ending = b',"isError":true}' if is_error else b',"isError":false}'
    return b'{"content":[{"type":"text","text":' + text + b'}],"structuredContent":' + json + ending


@lru_cache(maxsize=32)
def encode_ready_result(json: bytes) -> bytes:
    """Return the result of ready-made JSON, cached because menus are requested again and again."""
    return encode_result(json, is_error=False)
