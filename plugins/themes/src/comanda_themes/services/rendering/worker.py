"""The process that renders themes of owners: lines of JSON in, lines of JSON out, within limits of the system.

``isolation`` starts it as ``python -m comanda_themes.services.rendering.worker``. It opens no connection, reads no
settings and knows nothing but the theme and the public data of the page that it is sent.
"""

import json
import resource
import sys
from collections.abc import Mapping
from typing import Any, Final

from comanda_themes.services.theme_files import ThemeFiles

MAX_MEMORY_BYTES: Final = 1024 * 1024 * 1024


def set_limits() -> None:
    """Set the system's limits on the memory and the files of this process."""
    for kind, most in {
        resource.RLIMIT_AS: MAX_MEMORY_BYTES,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }.items():
        _, hard = resource.getrlimit(kind)
        value = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (value, value))


def render(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """Render one page and return the answer to send."""
    from comanda_themes.services.rendering.errors import ThemeFailed  # noqa: PLC0415 - only within the limits
    from comanda_themes.services.rendering.page_requests import PageRequest  # noqa: PLC0415
    from comanda_themes.services.rendering.renderer import compile_theme  # noqa: PLC0415

    theme = ThemeFiles(request["theme"]["key"], request["theme"]["texts"], {})
    try:
        rendered = compile_theme(theme).render(PageRequest(**request["page"]))
    except ThemeFailed as error:
        return {"failure": str(error)}
    return {"html": rendered.html, "problems": rendered.problems, "style": rendered.style}


def main() -> None:
    """Answer each line of standard input by one of standard output, until it ends."""
    set_limits()
    for line in sys.stdin.buffer:
        try:
            answer = render(json.loads(line))
        except MemoryError:
            answer = {"failure": "The theme takes too much memory."}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
