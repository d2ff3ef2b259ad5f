"""Validation of the theme tools."""

import pytest


@pytest.mark.parametrize(
    "files",
    [
        {},
        {f"assets/a{number}.css": "" for number in range(201)},
        {"assets/a.css": "é" * 300_000, "assets/b.css": "é" * 200_001},
    ],
)
async def test_oversized_theme_is_refused(agent, files):
    refused = await agent.refused("validate_theme", {"files": files})

    assert refused["code"] == "validation_failed"
    assert list(refused["errors"]) == ["files"]


@pytest.mark.parametrize("files", [{"a.css": 7}, {"a.css": None}, ["a.css"], "a.css"])
async def test_files_must_be_text(agent, files):
    assert (await agent.refused("validate_theme", {"files": files}))["code"] == "validation_failed"
