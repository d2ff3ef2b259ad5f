"""The process that renders themes of owners: lines of JSON in, lines of JSON out, within limits of the system.

``isolation`` starts it as ``python -m comanda_themes.services.rendering.worker``. It opens no connection, reads no
settings and knows nothing but the theme and the public data of the page that it is sent.
"""

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from comanda.basics import LazyModule, lower_process_priority, set_process_limits

from comanda_themes.services.rendering.errors import ThemeFailed
from comanda_themes.services.rendering.page_requests import PageRequest
from comanda_themes.services.theme_files import ThemeFiles

if TYPE_CHECKING:
    from comanda_themes.services.rendering import renderer
else:
    # Imported within the limits.
    renderer = LazyModule("comanda_themes.services.rendering.renderer")

MAX_MEMORY_BYTES: Final = 1024 * 1024 * 1024


def render(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """Render one page and return the answer to send."""
    theme = ThemeFiles(request["theme"]["key"], request["theme"]["texts"], {})
    try:
        rendered = renderer.compile_theme(theme).render(PageRequest(**request["page"]))
    except ThemeFailed as error:
        return {"failure": str(error)}
    return {"html": rendered.html, "problems": rendered.problems, "style": rendered.style}


def main() -> None:
    """Answer each line of standard input by one of standard output, until it ends."""
    lower_process_priority()
    set_process_limits(memory_bytes=MAX_MEMORY_BYTES)
    for line in sys.stdin.buffer:
        try:
            answer = render(json.loads(line))
        except MemoryError:
            answer = {"failure": "The theme takes too much memory."}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
