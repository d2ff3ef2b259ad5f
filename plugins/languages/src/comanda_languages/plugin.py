"""The names and descriptions on menus, in the languages of guests."""

from collections.abc import Sequence

from comanda import hookimpl
from comanda.contracts import Chapter, MenuTexts, ModelSet, NavigationEntry, Pages, Routes

from comanda_languages.pages.dashboard import NAVIGATION, dashboard
from comanda_languages.routes.texts import public_routes, routes
from comanda_languages.services.texts import load_texts


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("languages", ("comanda_languages.models",), "comanda_migrations.languages")]


@hookimpl
def register_menu_texts() -> Sequence[MenuTexts]:
    return [MenuTexts("languages", load_texts)]


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [routes, public_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [dashboard.pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return [NAVIGATION]


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "Names and descriptions of a menu in the languages of its guests: what is missing, drafts, and fallback."
    return [Chapter("languages", "Menus in several languages", summary, "comanda_languages", "docs/languages.md")]
