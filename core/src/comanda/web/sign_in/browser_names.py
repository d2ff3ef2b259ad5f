"""Names of browsers, by which people recognize where they are signed in."""

from typing import Final

# The first word that a browser sends decides: most also claim to be the ones below them.
PROGRAMS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
UNKNOWN: Final = "Unknown browser"


def get_browser_name(user_agent: str) -> str:
    """Return a name such as ``Firefox on Linux`` for the header ``User-Agent``."""
    program = next((name for word, name in PROGRAMS if word in user_agent), UNKNOWN)
    system = next((name for word, name in SYSTEMS if word in user_agent), None)
    return program if system is None else f"{program} on {system}"
