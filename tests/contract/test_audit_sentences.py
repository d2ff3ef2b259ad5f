"""Every action that leaves an entry in the audit log is described by a sentence of its own."""

import re
from pathlib import Path

from comanda_dashboard.pages.audit.actions import ACTIONS_BY_SENTENCE, SENTENCES
from comanda_dashboard.pages.audit.sentences import CALLER_PART
from installed_plugins import get_registry

ROOT = Path(__file__).parents[2]
# The actions of people with their account, as they stand in the sources.
ACCOUNT_ACTION = re.compile(r'"(account/[a-z_]+)"|record_account_action\(\s*\w+, "([a-z_]+)"')


def list_route_actions():
    registry = get_registry()
    kinds = {code for code, kind in registry.caller_kinds.items() if kind.is_audited}
    return {
        CALLER_PART.sub(r"\1_", route.operation_id)
        for route in registry.routes
        if not route.is_read_only and route.is_rest and kinds.intersection(route.callers)
    }


def list_tool_actions():
    registry = get_registry()
    kinds = {code for code, kind in registry.caller_kinds.items() if kind.is_audited}
    servers = {server.name for server in registry.mcp_servers.values() if kinds.intersection(server.callers)}
    return {
        tool.name
        for tool in registry.mcp_tools.values()
        if not tool.is_read_only and servers.intersection(tool.servers)
    }


def list_account_actions():
    folders = ("core/src", "plugins", "verticals")
    sources = [path.read_text() for folder in folders for path in (ROOT / folder).rglob("src/**/*.py")]
    sources += [path.read_text() for path in (ROOT / "core/src").rglob("*.py")]
    found = {match for source in sources for match in ACCOUNT_ACTION.findall(source)}
    return {whole or f"account/{name}" for whole, name in found}


def test_every_action_has_a_sentence():
    declared = {*list_route_actions(), *list_tool_actions(), *list_account_actions()}

    assert len(list_account_actions()) > 10
    assert sorted(declared - SENTENCES.keys()) == []
    assert sorted(SENTENCES.keys() - declared) == []


def test_no_action_stands_under_two_sentences():
    assert len(SENTENCES) == sum(len(actions.split()) for actions in ACTIONS_BY_SENTENCE.values())
