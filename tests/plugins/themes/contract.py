"""Paths and bodies of the themes plugin, for tests of every route."""

from base64 import b64encode
from itertools import count

from comanda.contracts import API_PREFIX
from comanda_themes.services.archives import write_archive

from tests.support.themes import create_theme

_numbers = count(1)
SETTINGS = {"settings": {"corner_radius": 8}, "sections": {"index": {"order": [], "items": {}}}}


async def theme(workshop, store_id):
    """Create a theme with a draft."""
    path = f"/restaurants/{store_id}/themes"
    theme_id = await workshop.post(path, theme_body())
    draft, body = f"{API_PREFIX}{path}/{theme_id}/draft", {"revision": 0, "settings_data": SETTINGS}
    assert (await workshop.client.put(draft, headers=workshop.owner.auth, json=body)).status_code == 200
    return theme_id


def theme_body(*_):
    return {"name": f"Theme {next(_numbers)}", "source": "default"}


async def version(workshop, store_id, *_):
    return 1


async def publication_body(workshop, store_id, *_):
    return {"theme_id": await theme(workshop, store_id), "number": 1}


async def draft_body(*_):
    return {"revision": 1, "settings_data": SETTINGS}


async def version_body(*_):
    return {"revision": 1, "note": "Stolen"}


async def archive_body(*_):
    return {
        "archive_base64": b64encode(
            write_archive({path: text.encode() for path, text in create_theme().items()})
        ).decode()
    }


async def named_body(*_):
    return theme_body()


FACTORIES = {
    "/restaurants/{id}/themes/{themeId}": theme,
    "/restaurants/{id}/themes/{themeId}/versions/{number}": version,
}
BODIES = {
    "ThemeBody": named_body,
    "ThemeChange": named_body,
    "PublicationBody": publication_body,
    "DraftBody": draft_body,
    "VersionBody": version_body,
    "VersionArchive": archive_body,
}
