"""The names and descriptions on menus, in the languages of guests."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, MenuTexts, ModelSet, NavigationEntry, Pages, Routes

from comanda_languages.pages.dashboard import NAVIGATION, dashboard
from comanda_languages.routes.texts import public_routes, routes
from comanda_languages.services.texts import load_texts


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the table of texts."""
    return [ModelSet("languages", ("comanda_languages.models",), "comanda_migrations.languages")]


@hookimpl
def register_menu_texts() -> Sequence[MenuTexts]:
    """Register where the texts of menus come from."""
    return [MenuTexts("languages", load_texts)]


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the routes of texts, and of public menus in a language."""
    return [routes, public_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Register the pages of texts in the dashboard."""
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    """Register the entry of languages in the navigation."""
    return [NAVIGATION]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Register the chapter on languages."""
    summary = "Names and descriptions of a menu in the languages of its guests: what is missing, drafts, and fallback."
    return [Chapter("languages", "Menus in several languages", summary, "comanda_languages", "docs/languages.md")]
