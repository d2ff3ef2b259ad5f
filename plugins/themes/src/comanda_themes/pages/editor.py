"""The editor of a theme: its sections are arranged and its settings changed beside a preview of the store's page."""

from typing import Any, Final

import orjson
from comanda.basics import ComandaError
from comanda.contracts import parse_id
from comanda.web import PRIVATE_HEADERS
from comanda.web import gettext as _
from comanda.web.dashboard import REFUSALS, Visit, get_sentence
from quart import Response

from comanda_themes.pages.dashboard import PUBLICATION, THEME, dashboard

DRAFT: Final = f"{THEME}/draft"
MENU: Final = "/restaurants/{id}/menu"

# All pages of themes, for the plugin to register: with them it imports those of this module.
dashboard_pages: Final = dashboard.pages


@dashboard.get("/stores/<int:store_id>/themes/<int:theme_id>/editor", scope="themes:write")
async def show_editor(visit: Visit, store_id: int, theme_id: int) -> Response:
    theme = await visit.api.get(THEME, id=store_id, themeId=theme_id)
    draft = await visit.api.get(DRAFT, id=store_id, themeId=theme_id)
    preview = await visit.api.post(f"{THEME}/previews", {}, id=store_id, themeId=theme_id)
    choices: dict[str, Any] = {"category": [], "item": [], "image": []}
    if visit.may("menu:read"):
        choices = _list_choices(await visit.api.get(MENU, id=store_id))
    data = {"draft": draft, "choices": choices, "preview": preview["url"], "is_saved": draft["revision"] > 0}
    if not data["is_saved"]:
        # Without a draft the preview shows the version that the editor begins with.
        number = {"number": draft["number"]}
        saved = await visit.api.post(f"{THEME}/previews", number, id=store_id, themeId=theme_id)
        data["first_preview"] = saved["url"]
    return await visit.render("themes/dashboard/editor.html", theme=theme, data=data)


@dashboard.post("/stores/<int:store_id>/themes/<int:theme_id>/editor", scope="themes:write")
async def save_draft(visit: Visit, store_id: int, theme_id: int) -> Response:
    """Save the draft that the editor's script sends, and answer with its revision as JSON."""
    texts = await visit.read_texts()
    try:
        body = {"revision": int(texts.get("revision", "0")), "settings_data": orjson.loads(texts.get("data", ""))}
    except ValueError:
        return _answer({"problem": _("The page is out of date. Reload it.")}, 422)
    try:
        draft = await visit.api.put(DRAFT, body, id=store_id, themeId=theme_id)
    except ComandaError as error:
        if error.status not in REFUSALS:
            raise
        return _answer({"problem": get_sentence(error)}, error.status)
    return _answer({"revision": draft["revision"]}, 200)


@dashboard.post("/stores/<int:store_id>/themes/<int:theme_id>/editor/publish", scope="themes:write")
async def publish_draft(visit: Visit, store_id: int, theme_id: int) -> Response:
    """Make the draft a version and publish it."""
    texts = await visit.read_texts()
    body = {"revision": parse_id(texts.get("revision")) or 0, "note": texts.get("note", "")}
    try:
        version = await visit.api.post(f"{DRAFT}/version", body, id=store_id, themeId=theme_id)
    except ComandaError as error:
        if error.status not in REFUSALS:
            raise
        return visit.redirect(f"/stores/{store_id}/themes/{theme_id}/editor", problem=get_sentence(error))
    number = version["number"]
    to, notice = f"/stores/{store_id}/themes/{theme_id}", _("Version %(number)s is published.", number=number)
    publication = {"theme_id": theme_id, "number": number}
    return await visit.act("PUT", PUBLICATION, body=publication, to=to, notice=notice, id=store_id)


@dashboard.post("/stores/<int:store_id>/themes/<int:theme_id>/editor/discard", scope="themes:write")
async def discard_draft(visit: Visit, store_id: int, theme_id: int) -> Response:
    to, notice = f"/stores/{store_id}/themes/{theme_id}/editor", _("Changes discarded.")
    return await visit.act("DELETE", DRAFT, to=to, notice=notice, id=store_id, themeId=theme_id)


def _list_choices(categories: Any) -> dict[str, Any]:
    items = [item for category in categories for item in category["items"]]
    photos = {item["image_url"]: item["name"] for item in items if item.get("image_url")}
    return {
        "category": [[str(each["id"]), each["name"]] for each in categories],
        "item": [[str(each["id"]), each["name"]] for each in items],
        "image": [[url, name] for url, name in photos.items()],
    }


def _answer(document: dict[str, Any], status: int) -> Response:
    headers = {**PRIVATE_HEADERS, "Content-Type": "application/json"}
    return Response(orjson.dumps(document), status=status, headers=headers)
