"""Themes: how a store's pages look, written in Liquid."""

from collections.abc import Sequence

import click
from comanda import hookimpl
from comanda.contracts import Chapter, ModelSet, NavigationEntry, Pages, Routes, Scope, create_scopes

from comanda_themes.commands import themes
from comanda_themes.pages.blueprint import pages
from comanda_themes.pages.dashboard import NAVIGATION
from comanda_themes.pages.editor import dashboard_pages
from comanda_themes.routes.drafts import routes as draft_routes
from comanda_themes.routes.themes import routes as theme_routes
from comanda_themes.settings import ThemeSettings


@hookimpl
def register_settings() -> type[ThemeSettings]:
    """Register what uploaded themes may do."""
    return ThemeSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    """Register the tables of owners' themes."""
    return [ModelSet("themes", ("comanda_themes.models",), "comanda_migrations.themes")]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    """Register the scopes of themes."""
    return create_scopes("themes", "themes of stores")


@hookimpl
def register_routes() -> Sequence[Routes]:
    """Register the routes of themes, drafts and previews."""
    return [theme_routes, draft_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    """Register the assets of themes, and their pages in the dashboard."""
    return [pages, dashboard_pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    """Register the entry of themes in the navigation."""
    return NAVIGATION


@hookimpl
def register_docs() -> Sequence[Chapter]:
    """Register the chapter on themes."""
    summary = "The files of a storefront theme, the Liquid they may use, and what is checked."
    return [Chapter("themes", "Themes", summary, "comanda_themes", "docs/themes.md")]


@hookimpl
def register_commands() -> Sequence[click.Command]:
    """Register the commands of theme authors."""
    return [themes]
