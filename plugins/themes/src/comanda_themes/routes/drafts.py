"""Drafts of themes and previews, as owners edit them."""

from comanda.contracts import Caller, Routes

from comanda_themes.records import Draft, PreviewToken, VersionDetails
from comanda_themes.schemas import DraftBody, PreviewBody, VersionBody
from comanda_themes.services import drafts

routes = Routes("Themes")

DRAFT = "/restaurants/{id}/themes/{themeId}/draft"


@routes.get(DRAFT, scope="themes:read")
async def get_draft(caller: Caller, id: int, theme_id: int) -> Draft:
    """Return the settings that are being edited, or with revision 0 those of the latest version."""
    return await drafts.get_draft(caller, id, theme_id)


@routes.put(DRAFT, scope="themes:write")
async def save_draft(caller: Caller, id: int, theme_id: int, body: DraftBody) -> Draft:
    """Save settings and the arrangement of sections as a draft, checked against the schemas of the theme.

    A draft that was changed after ``revision`` is not overwritten: the answer is 409 with the reason ``stale``.
    """
    return await drafts.save_draft(caller, id, theme_id, body.revision, body.settings_data)


@routes.delete(DRAFT, scope="themes:write")
async def discard_draft(caller: Caller, id: int, theme_id: int) -> None:
    """Discard the draft."""
    await drafts.discard_draft(caller, id, theme_id)


@routes.post(f"{DRAFT}/version", scope="themes:write")
async def create_version_of_draft(caller: Caller, id: int, theme_id: int, body: VersionBody) -> VersionDetails:
    """Make the draft a version of the theme, ready to be published."""
    return await drafts.create_version_of_draft(caller, id, theme_id, body.revision, body.note)


@routes.post("/restaurants/{id}/themes/{themeId}/previews", scope="themes:write", is_read_only=True)
async def create_preview(caller: Caller, id: int, theme_id: int, body: PreviewBody) -> PreviewToken:
    """Return the address at which anybody sees a version for two hours, or the draft without a ``number``."""
    return await drafts.create_preview(caller, id, theme_id, body.number)
