"""Themes are checked on the command line."""

import pytest
from click.testing import CliRunner
from comanda_themes.commands import themes

from tests.support.themes import create_theme


@pytest.fixture
def folder(tmp_path):
    for path, text in create_theme().items():
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return tmp_path


def test_a_valid_theme_passes(folder):
    result = CliRunner().invoke(themes, ["check", str(folder)])

    assert result.exit_code == 0
    assert " 0 errors" in result.output


def test_errors_name_file_and_line(folder):
    (folder / "templates/menu.liquid").write_text("<p>\n{{ menu.nothing }}\n</p>")

    result = CliRunner().invoke(themes, ["check", str(folder)])

    assert result.exit_code == 1
    assert "templates/menu.liquid:2: error unknown_property: " in result.output
