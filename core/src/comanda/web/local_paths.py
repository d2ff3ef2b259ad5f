"""Paths of this host as parameters such as ``next``, which must not lead anywhere else."""

import re
from typing import Final

MAX_LENGTH: Final = 2000
# Visible ASCII. Browsers remove tabs and line breaks from addresses, so that "/\t/evil.example" names another host.
VISIBLE: Final = re.compile(r"[!-~]+")


def parse_local_path(text: str) -> str | None:
    r"""Return a path of this host with its query, or None for text that a browser could read as anything else.

    Browsers treat a backslash as a slash, and two slashes at the beginning as the start of a host name. Neither is
    accepted anywhere in the path, because a later redirect may remove what stands before them.
    """
    if not text.startswith("/") or len(text) > MAX_LENGTH or not VISIBLE.fullmatch(text) or "\\" in text:
        return None
    # Not with urlsplit, which takes "///evil.example" for a path.
    path = re.split("[?#]", text, maxsplit=1)[0]
    return None if "//" in path else text
