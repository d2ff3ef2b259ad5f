"""Themes in the dashboard."""

import json
import re

import pytest
from comanda.devkit.testing import TestStore

INDEX = {"order": ["a"], "items": {"a": {"type": "hero", "settings": {"heading": "Olá"}, "blocks": []}}}
DATA = re.compile(r"data-editor-data>(.*?)</script>", re.DOTALL)


@pytest.fixture
async def shop(client, owner):
    return TestStore(client, owner, await owner.store())


async def test_a_theme_is_created_edited_and_published(dashboard, shop):
    path = f"/stores/{shop.id}/themes"
    assert "Default theme" in await dashboard.get(path)

    await dashboard.post(path, {"name": "Summer"})
    theme = (await shop.get("/themes")).document[0]
    editor = f"{path}/{theme['id']}/editor"
    data = json.loads(DATA.search(await dashboard.get(editor))[1])
    assert data["draft"]["revision"] == 0
    assert "hero" in data["draft"]["form"]["sections"]
    assert data["draft"]["form"]["places"][0] == "index"
    document = {"settings": {}, "sections": {"index": INDEX}}
    saved = await dashboard.post(editor, {"revision": "0", "data": json.dumps(document)}, status=200)
    assert json.loads(saved) == {"revision": 1}
    await dashboard.post(f"{editor}/publish", {"revision": "1"})

    assert (await shop.get("/published-theme"))["number"] == 2
    await dashboard.post(f"{path}/{theme['id']}/publish", {"number": "1"})
    assert (await shop.get("/published-theme"))["number"] == 1
    assert "Was published" in await dashboard.get(f"{path}/{theme['id']}")
    assert "config/settings_data.json" in await dashboard.get(f"{path}/{theme['id']}/versions/2")
    await dashboard.post(f"{path}/default")
    assert (await shop.get("/published-theme"))["template"] == "default"


async def test_a_change_that_does_not_fit_is_told(dashboard, shop):
    await dashboard.post(f"/stores/{shop.id}/themes", {"name": "Summer"})
    theme = (await shop.get("/themes")).document[0]
    document = {"settings": {"corner_radius": 99}, "sections": {}}

    path = f"/stores/{shop.id}/themes/{theme['id']}/editor"
    answer = await dashboard.post(path, {"revision": "0", "data": json.dumps(document)}, status=422)

    assert "Must be a number from 0 to 24." in json.loads(answer)["problem"]
    answer = await dashboard.post(path, {"revision": "x", "data": "{"}, status=422)
    assert "problem" in json.loads(answer)
