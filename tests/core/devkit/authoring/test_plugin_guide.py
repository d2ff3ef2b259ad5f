"""The guide for authors of plugins: its code is that of the examples, and it knows every hook."""

import re
from pathlib import Path

from comanda import hookspecs
from comanda.devkit.authoring.checker import check_plugin
from comanda.devkit.authoring.public import is_public

ROOT = Path(__file__).parents[4]
FLORIST = ROOT / "examples" / "florist"
RENTAL = ROOT / "examples" / "rental"
GUIDE = ROOT / "docs" / "plugins.md"


def test_the_guides_code_is_that_of_the_examples():
    blocks = re.findall(r"^```(?:python|toml)\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 20
    used = set()
    for block in blocks:
        first, _, code = block.partition("\n")
        file, code = (first[2:], code) if first.startswith("# ") else ("pyproject.toml", block)
        example = RENTAL if "comanda_rental" in file else FLORIST
        used.add(example)
        assert code.strip("\n") in (example / file).read_text(encoding="utf-8"), (
            f"{file} reads otherwise than in the guide."
        )
    assert used == {FLORIST, RENTAL}


def test_the_guide_knows_every_hook():
    guide = GUIDE.read_text(encoding="utf-8")
    plugin = (FLORIST / "src" / "comanda_florist" / "plugin.py").read_text(encoding="utf-8")
    used = re.findall(r"^def (register_\w+)", plugin, re.MULTILINE)

    assert len(used) == len(set(used)) == 18
    missing = [name for name in dir(hookspecs) if name.startswith("register_") and f"`{name}`" not in guide]
    assert missing == [], "The table of hooks in docs/plugins.md lacks these."


def test_the_modules_that_the_guide_calls_public_are():
    section = GUIDE.read_text(encoding="utf-8").partition("## What you may import")[2].partition("\n## ")[0]
    named = [name for line in section.splitlines() if line.startswith("|") for name in re.findall(r"`([\w.]+)`", line)]

    assert len(named) >= 15
    assert [name for name in named if not is_public(name)] == []


def test_the_checker_has_nothing_to_say(postgres):
    assert check_plugin(FLORIST, server=postgres) == []
