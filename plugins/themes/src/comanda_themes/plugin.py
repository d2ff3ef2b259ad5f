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
    return ThemeSettings


@hookimpl
def register_models() -> Sequence[ModelSet]:
    return [ModelSet("themes", ("comanda_themes.models",), "comanda_migrations.themes")]


@hookimpl
def register_scopes() -> Sequence[Scope]:
    return create_scopes("themes", "themes of stores")


@hookimpl
def register_routes() -> Sequence[Routes]:
    return [theme_routes, draft_routes]


@hookimpl
def register_pages() -> Sequence[Pages]:
    return [pages, dashboard_pages]


@hookimpl
def register_navigation() -> Sequence[NavigationEntry]:
    return NAVIGATION


@hookimpl
def register_docs() -> Sequence[Chapter]:
    summary = "The files of a storefront theme, the Liquid they may use, and what is checked."
    return [Chapter("themes", "Themes", summary, "comanda_themes", "docs/themes.md")]


@hookimpl
def register_commands() -> Sequence[click.Command]:
    return [themes]
