r"""``next`` leads to this host alone, however it is written."""

import pytest
from comanda.web.local_paths import MAX_LENGTH, parse_local_path

OURS = [
    "/",
    "/docs/guide/?page=2#top",
    "/oauth/authorize?redirect_uri=https://app.example/cb&state=a%2Fb",
    "/oauth/authorize?redirect_uri=https%3A%2F%2Fapp.example%2Fcb",
    "/a/b/../c",
    "/@person",
    "/:80/",
]
TRICKS = [
    "",
    "docs",
    "https://evil.example",
    "https:evil.example",
    "HTTPS:/evil.example",
    "//evil.example",
    "///evil.example",
    "////evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "\\/evil.example",
    "/docs\\..\\..\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r/evil.example",
    "\t//evil.example",
    " //evil.example",
    " /docs",
    "/\x00/evil.example",
    "/\x0b/evil.example",
    "/docs\r\nSet-Cookie: a=b",
    "/docs\x7f",
    "/\u00a0/evil.example",
    "/\u2028/evil.example",
    "/\uff0fevil.example",
    "/\u3002evil.example",
    "/.//evil.example",
    "/..//evil.example",
    "/a/..//evil.example",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "//evil.example/%2f..",
    "//google.com%40evil.example",
    "http:///evil.example",
    "http:/evil.example",
    "//[::1",
    "//evil.example:80\\@ours",
    "?next=//evil.example",
    "#//evil.example",
    "@evil.example",
    ":evil.example",
    ".evil.example",
    "/" + "a" * MAX_LENGTH,
]


@pytest.mark.parametrize("text", OURS)
def test_paths_of_this_host_stay_as_they_are(text):
    assert parse_local_path(text) == text


@pytest.mark.parametrize("text", TRICKS, ids=ascii)
def test_anything_else_is_no_path_of_this_host(text):
    assert parse_local_path(text) is None
