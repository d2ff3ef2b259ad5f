"""What a plugin brings is shown everywhere while it is installed, and nowhere when it is not."""

import json
from functools import cache
from importlib.metadata import distribution

import pytest
from comanda.composition import plugin_loader, registry
from comanda.composition.registry import HOOKS
from comanda.web.api_reference import openapi
from comanda.web.api_reference.discovery import build_index
from comanda.web.api_reference.openapi import api_routes, document
from comanda.web.api_reference.schemas import Schemas
from installed_plugins import get_registry

SITE = "https://eat.example"
POINTS = plugin_loader.discover()
# Several at a time, since most of the time is taken by describing what is left. Those with item capabilities together:
# nothing else that is looked for stands in schemas, and to make them takes several times as long as the rest.
CAPABLE = [name for name, mine in get_registry().contributions.items() if "item capability" in mine]
OTHERS = [point.name for point in POINTS if point.name not in CAPABLE]
GROUPS = [CAPABLE, *(OTHERS[start::7] for start in range(7))]


@cache
def requirements():
    """The requirements of each plugin, by its name."""
    return {point.name: point.dist.requires or [] for point in POINTS}


def dependants(name):
    """List the plugins that name another among their requirements, and theirs in turn."""
    found = {other for other, needs in requirements().items() if f"comanda-{name}".replace("_", "-") in needs}
    return found | {further for each in found for further in dependants(each)}


def without(names):
    disabled = {further for name in names for further in (name, *dependants(name))}
    return registry.gather(plugin_loader.load(POINTS, disabled=disabled))


def shown(found):
    """Everything that tells programs and people what there is, as one text per place."""
    return {
        "the index": json.dumps(json.loads(build_index(found, SITE))),
        "OpenAPI": json.dumps(document(found, SITE)),
        "the chapters": " ".join(f"{name} {chapter.text}" for name, chapter in found.docs.items()),
    }


@cache
def shown_now():
    return shown(get_registry())


@cache
def schemas_now():
    return Schemas(api_routes(get_registry()), get_registry())


def test_the_command_line_lists_every_kind_of_contribution():
    kinds = {kind for mine in get_registry().contributions.values() for kind in mine}

    assert kinds - {hook.label for hook in HOOKS} == {"table"}


@pytest.mark.parametrize("names", GROUPS, ids="-".join)
def test_what_plugins_bring_goes_with_them(monkeypatch, names):
    gone = without(names)
    bring = [get_registry().contributions[name] for name in names]
    if names is not CAPABLE:
        monkeypatch.setattr(openapi, "Schemas", lambda *_: schemas_now())
    now, then = shown_now(), shown(gone)

    # By their addresses, since routes of store settings are created anew with each registry.
    left = {(route.method, route.full_path) for route in api_routes(gone)}
    for route in [route for route in api_routes(get_registry()) if (route.method, route.full_path) not in left]:
        assert f'"{route.method} {route.full_path}"' in now["the index"]
        assert f'"{route.method} {route.full_path}"' not in then["the index"]
        assert f'"{route.operation_id}"' in now["OpenAPI"]
        assert f'"{route.operation_id}"' not in then["OpenAPI"]
    for mine in bring:
        check_gone(mine, gone, now, then)


def check_gone(mine, gone, now, then):
    """Check that what one plugin brings is there now and not with a registry without it."""
    for route in mine.get("route", ()):
        assert route in {f"{each.method} {each.full_path}" for each in get_registry().routes}
        assert route not in {f"{each.method} {each.full_path}" for each in gone.routes}
    for event in mine.get("event", ()):
        assert f'"{event}": {{"post"' in now["OpenAPI"]
        assert f'"{event}": {{"post"' not in then["OpenAPI"]
    for capability in mine.get("item capability", ()):
        assert f"stores with the capability {capability}." in now["OpenAPI"]
        assert f"stores with the capability {capability}." not in then["OpenAPI"]
    for chapter in mine.get("documentation chapter", ()):
        assert chapter in get_registry().docs
        assert chapter not in gone.docs
    for server in mine.get("MCP server", ()):
        assert f'"{SITE}{get_registry().mcp_servers[server].path}"' in now["the index"]
        assert server not in gone.mcp_servers
    for kind, field in (("vertical", "verticals"), ("fulfillment mode", "fulfillment_modes"), ("event", "events")):
        assert set(mine.get(kind, ())) <= set(getattr(get_registry(), field))
        assert not set(mine.get(kind, ())) & set(getattr(gone, field))


def test_every_plugin_can_be_told_from_the_others_by_what_it_needs():
    for point in POINTS:
        assert distribution(point.dist.name).version == point.dist.version
        assert point.name not in dependants(point.name)
