import re
from pathlib import Path

from comanda.menu import plugin as menu
from comanda.operations.serving.limits import GRACE_SECONDS, KEEP_ALIVE_SECONDS
from comanda.orders import plugin as orders
from comanda.platform.core_commands import CORE_COMMANDS
from comanda.platform.observability import OUTBOX_OLDEST_SECONDS, OUTBOX_WAITING, REQUEST_SECONDS, REQUESTS
from comanda.platform.settings import Settings
from installed_plugins import get_registry
from pydantic import AliasChoices

ROOT = Path(__file__).resolve().parents[3]
OPERATIONS = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")


def shown(default):
    match default:
        case None:
            return "unset"
        case bool():
            return "yes" if default else "no"
        case [] | "":
            return "none"
    return f"{default:g}" if isinstance(default, float) else str(default)


def test_the_settings_table_lists_every_setting_with_its_default():
    listed = dict(re.findall(r"^\| `(\w+)` \| (\S+) \|", OPERATIONS, re.MULTILINE))

    expected = {}
    for name, field in Settings.model_fields.items():
        alias = field.validation_alias
        variable = alias.choices[0] if isinstance(alias, AliasChoices) else f"COMANDA_{name.upper()}"
        expected[variable] = shown(field.default)
    assert listed == expected


def test_commands_in_the_documents_exist():
    documents = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "docs" / "operations.md", ROOT / "CHANGELOG.md"]
    text = "\n".join(document.read_text(encoding="utf-8") for document in documents)

    named = set(re.findall(r"(?:^    |`|/bin/)comanda ([a-z]+)", text, re.MULTILINE))
    assert {"serve", "worker", "migrate", "doctor", "token"} <= named
    of_plugins = {command.name for command in get_registry().commands}
    assert "listen" in of_plugins
    assert named <= {*CORE_COMMANDS, *of_plugins}


def test_numbers_and_names_in_the_operations_page_are_those_of_the_code():
    assert f"for up to {GRACE_SECONDS} seconds" in OPERATIONS
    assert f"kept for {KEEP_ALIVE_SECONDS} seconds" in OPERATIONS
    for metric in (REQUESTS, REQUEST_SECONDS, OUTBOX_WAITING, OUTBOX_OLDEST_SECONDS):
        name = metric.describe()[0].name
        assert f"`{name}" in OPERATIONS
    readme = (ROOT / "core" / "README.md").read_text(encoding="utf-8")
    assert all(f"`{event.name}`" in readme for event in [*menu.register_events(), *orders.register_events()])
