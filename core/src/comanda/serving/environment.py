"""The environment of child processes, which read their settings from it."""

import os

from comanda.settings import Settings

WITH_BACKGROUND = "COMANDA_SERVING_BACKGROUND"


def build_environment(settings: Settings, *, with_background: bool) -> dict[str, str]:
    """Return the environment of a child process: the current one plus values decided by the command line."""
    decided = {
        "DATABASE_URL": settings.database_url or "",
        "DATA": str(settings.data.resolve()),
        "PORT": str(settings.port),
        "COMANDA_HOST": settings.host,
        WITH_BACKGROUND: "1" if with_background else "0",
    }
    return {**os.environ, **decided}
