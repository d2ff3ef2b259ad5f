"""The pages on which owners translate their menus."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from comanda.basics import ComandaError
from comanda.contracts import NavigationEntry
from comanda.web import LANGUAGES, N_, ngettext
from comanda.web import gettext as _
from comanda.web.dashboard import REFUSALS, DashboardPages, Visit, get_sentence
from quart import Response, abort

dashboard: Final = DashboardPages("languages", __name__)

ROUTE: Final = "/restaurants/{id}/menu/languages"
TEXTS: Final = f"{ROUTE}/{{language}}"
PER_PAGE: Final = 50
FILTERS: Final = ("state", "search")
STATES: Final = {"": N_("All"), "missing": N_("Missing"), "unchecked": N_("To check")}
USES: Final = {
    "category": N_("Category"),
    "item": N_("Item"),
    "description": N_("Description"),
    "variation": N_("Variation"),
    "extra_group": N_("Group of extras"),
    "extra": N_("Extra"),
}
NAVIGATION: Final = NavigationEntry(
    N_("Menu languages"), "/stores/{store_id}/menu/languages", "menu", "menu:read", icon="globe", position=15
)


@dashboard.get("/stores/<int:store_id>/menu/languages", scope="menu:read")
async def list_languages(visit: Visit, store_id: int) -> Response:
    """List the languages, each with how much of the menu there is in it."""
    return await visit.render("languages/dashboard/languages.html", found=await visit.api.get(ROUTE, id=store_id))


@dashboard.get("/stores/<int:store_id>/menu/languages/<language>", scope="menu:read")
async def show_texts(visit: Visit, store_id: int, language: str) -> Response:
    """Show the texts of the menu beside what they are in a language."""
    return await _render(visit, store_id, language)


@dashboard.post("/stores/<int:store_id>/menu/languages/<language>", scope="menu:write")
async def save_texts(visit: Visit, store_id: int, language: str) -> Response:
    """Save the texts of a page that are different from what is stored."""
    sent = await visit.read_texts()
    changes = _list_changes(sent)
    if changes:
        try:
            await visit.api.put(TEXTS, {"texts": changes}, id=store_id, language=language)
        except ComandaError as error:
            if error.status not in REFUSALS:
                raise
            return await _render(visit, store_id, language, sent, get_sentence(error))
    shown = urlencode(visit.query("page", *FILTERS))
    notice = ngettext("%(num)s text saved.", "%(num)s texts saved.", len(changes))
    return visit.redirect(f"/stores/{store_id}/menu/languages/{language}?{shown}", notice=notice)


async def _render(
    visit: Visit, store_id: int, language: str, sent: Mapping[str, str] | None = None, problem: str | None = None
) -> Response:
    if language not in LANGUAGES:
        abort(404)
    filters = visit.query(*FILTERS)
    query = {**visit.query("page"), **filters, "per_page": str(PER_PAGE)}
    page = await visit.api.get(TEXTS, query=query, id=store_id, language=language)
    path = f"/dashboard/stores/{store_id}/menu/languages/{language}"
    tabs = [
        (_(label), f"{path}?state={state}" if state else path, filters.get("state", "") == state)
        for state, label in STATES.items()
    ]
    return await visit.render(
        "languages/dashboard/texts.html", page=page, language=LANGUAGES[language], filters=filters, tabs=tabs,
        uses={use: _(label) for use, label in USES.items()}, sent=sent or {}, problem=problem,
        status=422 if problem else None,
    )  # fmt: skip


def _list_changes(sent: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the texts that were typed, and the drafts that were seen."""
    changes = []
    for number in range(PER_PAGE):
        source, text = sent.get(f"source-{number}"), sent.get(f"text-{number}", "").strip()
        if source and (text != sent.get(f"before-{number}", "") or sent.get(f"is_checked-{number}")):
            changes.append({"source": source, "translation": text or None})
    return changes
