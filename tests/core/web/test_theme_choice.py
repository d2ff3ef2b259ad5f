"""The choice of light or dark colours."""

import pytest


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_a_chosen_theme_is_kept_and_shown(app, theme):
    client = app.test_client()

    answer = await client.post("/theme", form={"theme": theme, "next": "/docs/guide/?a=1"})

    assert (answer.status_code, answer.headers["Location"]) == (303, "/docs/guide/?a=1")
    page = await (await client.get("/docs/guide/")).get_data(as_text=True)
    assert f'data-theme="{theme}"' in page
    assert f'<meta name="color-scheme" content="{theme}">' in page


async def test_the_choice_is_forgotten_by_choosing_none(app):
    client = app.test_client()
    await client.post("/theme", form={"theme": "dark", "next": "/"})

    await client.post("/theme", form={"theme": "", "next": "/"})

    assert "data-theme" not in await (await client.get("/")).get_data(as_text=True)


async def test_only_themes_are_kept_and_only_own_pages_come_next(app):
    client = app.test_client()

    answer = await client.post("/theme", form={"theme": '"><script>', "next": "https://elsewhere.example/"})

    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    client.set_cookie("localhost", "comanda_theme", "neon")
    assert "data-theme" not in await (await client.get("/")).get_data(as_text=True)
