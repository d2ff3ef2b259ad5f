"""Settings handed on to processes that Comanda starts, in the only place where those read them."""

import os

from comanda.settings import Settings

WITH_BACKGROUND = "COMANDA_SERVING_BACKGROUND"


def build_environment(settings: Settings, *, with_background: bool) -> dict[str, str]:
    """Make the environment of a child: this process's own, with what its command line and launcher decided."""
    decided = {
        "DATABASE_URL": settings.database_url or "",
        "DATA": str(settings.data.resolve()),
        "PORT": str(settings.port),
        "COMANDA_HOST": settings.host,
        WITH_BACKGROUND: "1" if with_background else "0",
    }
    return {**os.environ, **decided}
