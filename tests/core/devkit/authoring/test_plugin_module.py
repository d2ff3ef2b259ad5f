"""Rules for plugin.py."""

import pytest
from comanda.devkit.authoring.checker import check_plugin

PLUGIN = "src/comanda_my_feature/plugin.py"
HOOK = "def register_docs() -> Sequence[Chapter]:"


@pytest.mark.parametrize(
    ("old", "new", "rule", "at"),
    [
        ("def register_docs()", "def register_doc()", "hook-exists", "def register_doc()"),
        (f"@hookimpl\n{HOOK}", HOOK, "hook-marked", "def register_docs"),
        ("def register_docs()", "async def register_docs()", "hook-plain", "def register_docs"),
        ("def register_docs()", "def register_docs(more: int)", "hook-plain", "def register_docs"),
        ("@hookimpl\ndef register_docs", "def helps(): ...\n\n\n@hookimpl\ndef register_docs", "hooks-only", "helps"),
        ("@hookimpl\ndef register_docs", "class Helper: ...\n\n\n@hookimpl\ndef register_docs", "hooks-only", "Helper"),
        ("@hookimpl\ndef register_docs", "print()\n\n\n@hookimpl\ndef register_docs", "hooks-only", "print()"),
    ],
)  # fmt: skip
def test_the_plugin_module(feature, old, new, rule, at):
    feature.edit("plugin.py", old, new)

    assert feature.static() == [(rule, PLUGIN, feature.line("plugin.py", at))]


def test_misspelled_hook_gets_suggestion(feature):
    feature.edit("plugin.py", "def register_docs()", "def register_doc()")

    (found,) = check_plugin(feature.folder, is_static=True)

    assert found.sentence == "There is no hook register_doc. Did you mean register_docs?"


def test_constants_may_stand_among_hooks(feature):
    feature.edit(
        "plugin.py", "@hookimpl\ndef register_docs", "NAMES: tuple[str, ...] = ()\n\n\n@hookimpl\ndef register_docs"
    )

    assert feature.static() == []
