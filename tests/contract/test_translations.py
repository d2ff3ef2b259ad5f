"""Every text of every package is translated into every language, with the placeholders and tags of its source."""

from pathlib import Path

from comanda.devkit.authoring.translations import list_packages, list_problems

ROOT = Path(__file__).parents[2]


def test_every_text_is_translated():
    folders = [path.parent for path in ROOT.glob("*/*/pyproject.toml")] + [ROOT / "core"]
    assert len(folders) > 20
    assert list(list_problems(list_packages(folders))) == []
