"""Every command that prints data prints it as JSON for programs, too."""

import click
import pytest
from comanda.composition import plugin_loader, registry
from comanda.platform.core_commands import CORE_COMMANDS

# These do something and say that they did, or talk to another server.
ACTS = {
    "run", "serve", "worker", "migrations new", "plugins new", "plugins remove", "owner password", "owner suspend",
    "owner resume", "owner disable-two-factor", "owner grant-admin", "owner revoke-admin", "store delete",
    "menu export", "token revoke", "secrets generate", "secrets rotate", "secrets forget", "analytics rebuild",
    "entitlements grant", "entitlements revoke", "apps review", "apps approve", "apps reject", "apps delist", "listen",
    "payments lend", "payments fee",
    "reseller disable", "reseller set-tier", "reseller add-customer", "themes pull", "themes push", "themes dev",
}  # fmt: skip


def walk(command, path):
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from walk(each, f"{path} {name}")
        if not command.invoke_without_command:
            return
    yield path, {option for parameter in command.params for option in parameter.opts}


@pytest.fixture(scope="module")
def options():
    """The options of every command by its name."""
    plugins = registry.gather(plugin_loader.load()).commands
    found = [(name, lazy.load()) for name, lazy in CORE_COMMANDS.items()]
    found += [(each.name, each) for each in plugins]
    return dict(each for name, command in found for each in walk(command, name))


def test_commands_print_json_unless_they_only_act(options):
    assert {path for path, names in options.items() if "--json" not in names} == ACTS
