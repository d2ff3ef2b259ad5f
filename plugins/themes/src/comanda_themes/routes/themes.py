"""Themes of a store and their versions, as owners manage them."""

from comanda.contracts import JSON, Answer, Call, Caller, FileUpload, Routes, Unvalidated
from comanda.platform.photos import get_max_body_bytes

from comanda_themes.records import Publication, Theme, ThemeVersion, VersionDetails
from comanda_themes.schemas import PublicationBody, ThemeBody, ThemeChange, ThemeUpload, VersionArchive, VersionUpload
from comanda_themes.services import publication, themes, versions
from comanda_themes.services.archives import MAX_ARCHIVE_BYTES, MEDIA_TYPE, decode_archive

routes = Routes("Themes")

THEME = "/restaurants/{id}/themes/{themeId}"
VERSION = f"{THEME}/versions/{{number}}"
PUBLICATION = "/restaurants/{id}/published-theme"


@routes.get("/restaurants/{id}/themes", scope="themes:read")
async def list_themes(caller: Caller, id: int) -> list[Theme]:
    """List a store's themes, the published one first."""
    return await themes.list_themes(caller, id)


@routes.post(
    "/restaurants/{id}/themes", scope="themes:write", upload=FileUpload((MEDIA_TYPE,), max_bytes=MAX_ARCHIVE_BYTES)
)
async def create_theme(caller: Caller, id: int, call: Call, query: ThemeUpload, body: Unvalidated[ThemeBody]) -> Theme:
    """Create a theme: from a zip archive and the query's ``name``, or from JSON as a copy of the default theme.

    An archive may have 200 files, 1 MB of texts and 5 MB of pictures and fonts. A theme with errors is refused: the
    keys of ``errors`` are ``file:line``, and ``findings`` has all findings as ``validate_theme`` lists them. Warnings
    are kept with the version. A store can have 20 themes, each with another name, so that a repeated request creates
    none.
    """
    if _is_archive(call):
        return await themes.create_from_archive(caller, id, query.name, query.note, call.body)
    return await themes.create_from_default(caller, id, body.validated().name)


@routes.get(THEME, scope="themes:read")
async def get_theme(caller: Caller, id: int, theme_id: int) -> Theme:
    """Return a theme."""
    return await themes.get_theme(caller, id, theme_id)


@routes.patch(THEME, scope="themes:write")
async def rename_theme(caller: Caller, id: int, theme_id: int, body: ThemeChange) -> Theme:
    """Rename a theme. Its ``handle`` stays as it is."""
    return await themes.rename_theme(caller, id, theme_id, body.name)


@routes.delete(THEME, scope="themes:write")
async def delete_theme(caller: Caller, id: int, theme_id: int) -> None:
    """Delete a theme with all of its versions; the one that is published cannot be deleted."""
    await themes.delete_theme(caller, id, theme_id)


@routes.post(f"{THEME}/duplicate", scope="themes:write")
async def duplicate_theme(caller: Caller, id: int, theme_id: int) -> Theme:
    """Create a theme with the latest version of this one."""
    return await themes.duplicate_theme(caller, id, theme_id)


@routes.get(f"{THEME}/versions", scope="themes:read")
async def list_versions(caller: Caller, id: int, theme_id: int) -> list[ThemeVersion]:
    """List a theme's versions, newest first. The latest 20 are kept, and the published one."""
    return await versions.list_versions(caller, id, theme_id)


@routes.post(
    f"{THEME}/versions",
    scope="themes:write",
    upload=FileUpload((MEDIA_TYPE,), max_bytes=get_max_body_bytes(MAX_ARCHIVE_BYTES)),
)
async def create_version(
    caller: Caller, id: int, theme_id: int, call: Call, query: VersionUpload, body: Unvalidated[VersionArchive]
) -> VersionDetails:
    """Add a version from a zip archive, or from JSON with the archive as Base64; see the creation of themes.

    The files of the latest version add none, and return that one.
    """
    raw = call.body if _is_archive(call) else decode_archive(body.validated().archive_base64)
    return await versions.create_version(caller, id, theme_id, query.note, raw)


@routes.get(VERSION, scope="themes:read")
async def get_version(caller: Caller, id: int, theme_id: int, number: int) -> VersionDetails:
    """Return a version with its files, those that differ from the version before, and the warnings of its check."""
    return await versions.get_version(caller, id, theme_id, number)


@routes.get(f"{VERSION}/archive", scope="themes:read", answers=bytes, content_types=(MEDIA_TYPE,))
async def get_archive(caller: Caller, id: int, theme_id: int, number: int) -> Answer:
    """Download the files of a version as a zip archive."""
    theme = await themes.get_theme(caller, id, theme_id)
    archive = await versions.get_archive(caller, id, theme_id, number)
    name = f'attachment; filename="{theme.handle}-{number}.zip"'
    return Answer(archive, content_type=MEDIA_TYPE, headers={"Content-Disposition": name})


@routes.get(PUBLICATION, scope="themes:read")
async def get_publication(caller: Caller, id: int) -> Publication:
    """Return what the store's pages are shown in."""
    return await publication.get_publication(caller, id)


@routes.put(PUBLICATION, scope="themes:write")
async def publish(caller: Caller, id: int, body: PublicationBody) -> Publication:
    """Show the store's pages in a version of a theme: a new one, or an earlier one to roll back."""
    return await publication.publish(caller, id, body.theme_id, body.number)


@routes.delete(PUBLICATION, scope="themes:write")
async def revert_to_default(caller: Caller, id: int) -> None:
    """Show the store's pages in the default theme. Its themes stay."""
    await publication.revert_to_default(caller, id)


def _is_archive(call: Call) -> bool:
    return call.headers.get("content-type", JSON).partition(";")[0].strip().lower() == MEDIA_TYPE
