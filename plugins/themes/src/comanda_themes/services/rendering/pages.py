"""Pages of stores in their themes."""

import asyncio
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from comanda.basics import LazyModule

from comanda_themes.services.rendering.errors import ThemeFailed
from comanda_themes.services.rendering.isolation import render_isolated
from comanda_themes.services.rendering.page_requests import PageRequest, RenderedTheme
from comanda_themes.services.theme_files import ThemeFiles, load_default_theme

if TYPE_CHECKING:
    from comanda_themes.services.rendering import renderer
else:
    # Processes that show no page are spared the memory of Liquid.
    renderer = LazyModule("comanda_themes.services.rendering.renderer")

logger = logging.getLogger(__name__)


async def render_page(theme: ThemeFiles, page: PageRequest) -> RenderedTheme:
    """Render a page. Raises ``ThemeFailed`` for a theme that cannot be rendered within its limits."""
    if not theme.is_trusted:
        return await render_isolated(theme, page)
    # Imported in a thread, so that the first page does not hold up other requests.
    compiled = await asyncio.to_thread(_compile, theme)
    return await asyncio.to_thread(compiled.render, page)


def _compile(theme: ThemeFiles) -> "renderer.CompiledTheme":
    return renderer.compile_theme(theme)


async def render_page_or_default(theme: ThemeFiles, page: PageRequest) -> RenderedTheme:
    """Render a page, in the default theme if the store's fails: a store never goes without its page."""
    try:
        return await render_page(theme, page)
    except ThemeFailed as error:
        logger.warning("a theme could not be rendered", extra={"theme": theme.key, "problem": str(error)})
        default = load_default_theme()
        rendered = await render_page(default, replace(page, assets_path=default.assets_path))
        return replace(rendered, is_fallback=True)
