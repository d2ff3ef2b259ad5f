"""Rendering of owners' themes in a process of its own."""

import pytest
from comanda_themes.services.rendering import isolation
from comanda_themes.services.rendering.errors import ThemeFailed
from comanda_themes.services.rendering.pages import render_page_or_default
from comanda_themes.services.rendering.renderer import compile_theme

# Big numbers make every step slower than the one before, within all limits of Liquid.
ENDLESS = "{% assign n = 9999999999 %}{% for i in (1..60) %}{% assign n = n | times: n %}{% endfor %}"


async def test_page_is_that_of_this_process(create_theme_files, page):
    theme = create_theme_files("{{ store.title }} {{ 6.5 | money }}")

    assert await isolation.render_isolated(theme, page) == compile_theme(theme).render(page)


async def test_endless_page_is_ended_and_the_next_one_rendered(create_theme_files, page):
    good = create_theme_files("{{ store.title }}")

    with pytest.raises(ThemeFailed):
        await isolation.render_isolated(create_theme_files(ENDLESS), page)

    assert (await isolation.render_isolated(good, page)).html == "<meta>|A &amp; &lt;b&gt;"


async def test_failing_theme_gives_way_to_the_default_one(create_theme_files, page):
    rendered = await render_page_or_default(create_theme_files(ENDLESS), page)

    assert '<header id="section-header"' in rendered.html
