"""Themes in the dashboard: listed, uploaded, published, rolled back and downloaded."""

from collections.abc import Mapping
from typing import Any, Final

from comanda.basics import ComandaError, ValidationFailed
from comanda.contracts import NavigationEntry, parse_id
from comanda.web import N_
from comanda.web import gettext as _
from comanda.web.dashboard import REFUSALS, DashboardPages, Visit, get_sentence
from quart import Response

from comanda_themes.services.archives import MAX_ARCHIVE_BYTES, MEDIA_TYPE

dashboard: Final = DashboardPages("themes", __name__, has_static=True)

THEMES: Final = "/restaurants/{id}/themes"
THEME: Final = f"{THEMES}/{{themeId}}"
VERSIONS: Final = f"{THEME}/versions"
VERSION: Final = f"{VERSIONS}/{{number}}"
PUBLICATION: Final = "/restaurants/{id}/published-theme"
NAVIGATION: Final = (
    NavigationEntry(N_("Themes"), "/stores/{store_id}/themes", "channels", "themes:read", icon="screen", position=40),
)


@dashboard.get("/stores/<int:store_id>/themes", scope="themes:read")
async def list_themes(visit: Visit, store_id: int) -> Response:
    """List the themes of a store, with the one that is published."""
    return await _render_list(visit, store_id)


@dashboard.post("/stores/<int:store_id>/themes", scope="themes:write")
async def create_theme(visit: Visit, store_id: int) -> Response:
    """Create a theme from an archive, or as a copy of the default theme."""
    texts = await visit.read_texts()
    name = texts.get("name", "").strip()
    raw = await _read_archive(visit)
    try:
        if raw is None:
            theme = await visit.api.post(THEMES, {"name": name}, id=store_id)
        else:
            theme = await _send_archive(visit, THEMES, raw, {"name": name, "note": texts.get("note", "")}, id=store_id)
    except ComandaError as error:
        if error.status not in REFUSALS:
            raise
        return await _render_list(visit, store_id, status=422, name=name, **_to_refusal(error))
    notice = _("Theme %(name)s created.", name=theme["name"])
    return visit.redirect(f"/stores/{store_id}/themes/{theme['id']}", notice=notice)


@dashboard.post("/stores/<int:store_id>/themes/default", scope="themes:write")
async def revert_to_default(visit: Visit, store_id: int) -> Response:
    """Show the store in the default theme."""
    notice = _("The store is shown in the default theme.")
    return await visit.act("DELETE", PUBLICATION, to=f"/stores/{store_id}/themes", notice=notice, id=store_id)


@dashboard.get("/stores/<int:store_id>/themes/<int:theme_id>", scope="themes:read")
async def show_theme(visit: Visit, store_id: int, theme_id: int) -> Response:
    """Show a theme with its versions."""
    return await _render_theme(visit, store_id, theme_id)


@dashboard.post("/stores/<int:store_id>/themes/<int:theme_id>/versions", scope="themes:write")
async def create_version(visit: Visit, store_id: int, theme_id: int) -> Response:
    """Add a version from an archive."""
    texts = await visit.read_texts()
    raw = await _read_archive(visit)
    try:
        if raw is None:
            raise ValidationFailed(archive=[_("Choose a file.")])
        note = {"note": texts.get("note", "")}
        version = await _send_archive(visit, VERSIONS, raw, note, id=store_id, themeId=theme_id)
    except ComandaError as error:
        if error.status not in REFUSALS:
            raise
        return await _render_theme(visit, store_id, theme_id, status=422, **_to_refusal(error))
    notice = _("Version %(number)s uploaded.", number=version["number"])
    return visit.redirect(f"/stores/{store_id}/themes/{theme_id}", notice=notice)


@dashboard.get("/stores/<int:store_id>/themes/<int:theme_id>/versions/<int:number>", scope="themes:read")
async def show_version(visit: Visit, store_id: int, theme_id: int, number: int) -> Response:
    """Show a version: its files, what changed, and the warnings of its check."""
    theme = await visit.api.get(THEME, id=store_id, themeId=theme_id)
    version = await visit.api.get(VERSION, id=store_id, themeId=theme_id, number=number)
    return await visit.render("themes/dashboard/version.html", theme=theme, version=version)


@dashboard.get("/stores/<int:store_id>/themes/<int:theme_id>/versions/<int:number>/archive", scope="themes:read")
async def download_archive(visit: Visit, store_id: int, theme_id: int, number: int) -> Response:
    """Download the files of a version."""
    answer = await visit.api.send("GET", f"{VERSION}/archive", id=store_id, themeId=theme_id, number=number)
    return Response(answer.body, content_type=MEDIA_TYPE, headers=answer.headers)


@dashboard.get("/stores/<int:store_id>/themes/<int:theme_id>/versions/<int:number>/preview", scope="themes:write")
async def open_preview(visit: Visit, store_id: int, theme_id: int, number: int) -> Response:
    """Open the store's page in a version."""
    path = f"{THEME}/previews"
    preview = await visit.api.post(path, {"number": number}, id=store_id, themeId=theme_id)
    return Response("", status=303, headers={"Location": preview["url"], "Cache-Control": "no-store"})


@dashboard.post("/stores/<int:store_id>/themes/<int:theme_id>/publish", scope="themes:write")
async def publish(visit: Visit, store_id: int, theme_id: int) -> Response:
    """Publish a version, also an earlier one."""
    number = parse_id((await visit.read_texts()).get("number"))
    body = {"theme_id": theme_id, "number": number}
    to, notice = f"/stores/{store_id}/themes/{theme_id}", _("Version %(number)s is published.", number=number)
    return await visit.act("PUT", PUBLICATION, body=body, to=to, notice=notice, id=store_id)


@dashboard.post("/stores/<int:store_id>/themes/<int:theme_id>/rename", scope="themes:write")
async def rename_theme(visit: Visit, store_id: int, theme_id: int) -> Response:
    body = {"name": (await visit.read_texts()).get("name", "")}
    to = f"/stores/{store_id}/themes/{theme_id}"
    return await visit.act("PATCH", THEME, body=body, to=to, notice=_("Saved."), id=store_id, themeId=theme_id)


@dashboard.post("/stores/<int:store_id>/themes/<int:theme_id>/duplicate", scope="themes:write")
async def duplicate_theme(visit: Visit, store_id: int, theme_id: int) -> Response:
    to, notice = f"/stores/{store_id}/themes", _("Theme duplicated.")
    return await visit.act("POST", f"{THEME}/duplicate", to=to, notice=notice, id=store_id, themeId=theme_id)


@dashboard.post("/stores/<int:store_id>/themes/<int:theme_id>/delete", scope="themes:write")
async def delete_theme(visit: Visit, store_id: int, theme_id: int) -> Response:
    to, notice = f"/stores/{store_id}/themes", _("Theme deleted.")
    return await visit.act("DELETE", THEME, to=to, notice=notice, id=store_id, themeId=theme_id)


async def _read_archive(visit: Visit) -> bytes | None:
    files = await visit.read_files("archive")
    return files[0].stream.read(MAX_ARCHIVE_BYTES + 1) if files else None


async def _send_archive(visit: Visit, path: str, raw: bytes, query: Mapping[str, str], **parameters: int) -> Any:
    given = {name: value for name, value in query.items() if value}
    return await visit.api.request("POST", path, body=raw, content_type=MEDIA_TYPE, query=given, **parameters)


def _to_refusal(error: ComandaError) -> dict[str, Any]:
    findings = error.extras.get("findings")
    return {"findings": findings} if findings else {"problem": get_sentence(error)}


async def _render_list(visit: Visit, store_id: int, **context: Any) -> Response:
    themes = await visit.api.get(THEMES, id=store_id)
    publication = await visit.api.get(PUBLICATION, id=store_id)
    return await visit.render("themes/dashboard/themes.html", themes=themes, publication=publication, **context)


async def _render_theme(visit: Visit, store_id: int, theme_id: int, **context: Any) -> Response:
    theme = await visit.api.get(THEME, id=store_id, themeId=theme_id)
    versions = await visit.api.get(VERSIONS, id=store_id, themeId=theme_id)
    return await visit.render("themes/dashboard/theme.html", theme=theme, versions=versions, **context)
