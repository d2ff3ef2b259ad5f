"""Core knows plugins by what they declare: a stranger's header, section and secrets work like a first party's."""

import ast
import re
import types
from pathlib import Path

import pytest
from comanda import hookimpl
from comanda.accounts import tokens
from comanda.basics.redaction import configure_redaction, redact
from comanda.composition import plugin_loader, registry
from comanda.composition.app import create_app
from comanda.contracts.orders.sections import Record, Section
from comanda.contracts.registry import Plugin
from comanda.contracts.requests.callers import CallerKind
from comanda.contracts.requests.routes import Routes
from comanda.contracts.scopes import Scope
from comanda.contracts.web.pages import Pages
from comanda.platform.runtime import Runtime
from comanda.web.api_reference.openapi import document
from installed_plugins import get_registry
from pydantic import BaseModel
from quart import Blueprint

ROOT = Path(__file__).parents[2]
CORE = ROOT / "core/src/comanda"
PLUGINS = sorted(
    path.parent.name for group in ("plugins", "verticals") for path in ROOT.glob(f"{group}/*/pyproject.toml")
)

# Where the name of a plugin is a word of the interface or of the trade, and names no plugin.
WORDS_OF_THE_INTERFACE = {
    "basics/money.py": "a module of the library babel that knows the languages of countries",
    "contracts/requests/mcp.py": "the five audiences of the interface, which tools may name before they are installed",
    "orders/drafts/draft.py": "a sentence about coupons, which are a field of every order's body",
    "orders/plugin.py": "the scopes of the people who order are the specification's, whether or not they have accounts",
    "orders/events.py": "the payments of order.paid, which is an event of the specification",
    "contracts/stores/verticals.py": "capabilities of stores, which every vertical answers with true or false, groups",
    "web/api_reference/openapi.py": "webhooks is OpenAPI's own word",
    "web/api_reference/catalog.py": "webhooks is OpenAPI's own word",
    "web/api_reference/answer_samples.py": "examples' values of fields, such as the name of a device",
    "platform/http/examples.py": "an example's value of a field named drawer",
    "contracts/web/dashboard.py": "the address below which every plugin's pages of the dashboard lie",
    "web/": "the dashboard is the frame of pages that plugins fill, the store's menu a link of its navigation",
    "menu/price_lists/price_list.py": "channels of orders, which are the audiences of their keys",
    "menu/imports/presets.py": "headings of other systems' files, and the till at which those show items",
    "platform/db/upgrade.py": "advice to the operator: which wheel a distributed or partitioned database needs",
    "operations/diagnostics/": "a cluster is PostgreSQL's own word",
    "operations/embedded/": "a cluster is PostgreSQL's own word",
    "platform/db/": "a cluster is PostgreSQL's own word",
    "composition/registry.py": "payment methods, books and entitlements are kinds of declarations",
    "composition/access_checks.py": "entitlements are a kind of declarations",
    "platform/audit_log/records.py": "examples in descriptions of fields",
    "cli/": "advice to the operator: which vertical to install first, how to see a webhook arrive",
    "composition/app.py": "advice to the operator: which vertical to install first",
    "devkit/": "advice to authors, with first-party plugins as examples, and the names that are taken",
}


class Badge(BaseModel):
    """The key that the stub's section adds."""

    badge: str | None = None


async def load_badges(owner_id, order_ids):
    return {}


routes = Routes("Badges", callers=("robot",))


@routes.get("/badges/{badgeToken}", scope="badges:read", cors=True)
async def show_badge(badge_token: str) -> dict[str, str]:
    """Return a badge."""
    return {"badge": badge_token}


@pytest.fixture
def found():
    """Gather core and a stub plugin with a token kind, a header, a section, a page and a secret path parameter."""
    declared = {
        "register_caller_kinds": [CallerKind("robot", "rob_", header="x-robot-token")],
        "register_scopes": [Scope("badges:read", "Read badges", kinds=("robot",))],
        "register_routes": [routes],
        "register_sections": [Section("badges", Record.ORDER, Badge, load_badges)],
        "register_pages": [Pages(Blueprint("badges", __name__), store_path="/shop/{slug}", secret_paths=("/badge/",))],
    }
    module = types.ModuleType("comanda_badges")
    for hook, items in declared.items():
        implementation = hookimpl(lambda items=items: items)
        setattr(module, hook, implementation)
    yield registry.gather([*plugin_loader.load([]), Plugin("badges", "comanda-badges", "1.0", (module,))])
    configure_redaction([kind.prefix for kind in get_registry().caller_kinds.values()], get_registry().secret_paths())


async def test_a_strangers_header_passes_the_preflight(found, settings):
    client = create_app(Runtime(settings, found), with_background=False).test_client()

    response = await client.options(
        "/api/v1/badges/abc",
        headers={"Origin": "https://shop.example", "Access-Control-Request-Method": "GET"},
    )

    assert response.status_code == 204
    assert "X-Robot-Token" in response.headers["Access-Control-Allow-Headers"].split(", ")


def test_a_strangers_header_is_a_security_scheme(found):
    schemes = document(found, "https://example.com")["components"]["securitySchemes"]

    assert schemes["RobotToken"] == {"type": "apiKey", "in": "header", "name": "X-Robot-Token"}


def test_a_strangers_section_stands_in_the_order(found):
    order = document(found, "https://example.com")["components"]["schemas"]["OrderOut"]

    assert order["properties"]["badge"]["description"] == "Where badges has it."


def test_a_strangers_secrets_are_masked(found):
    configure_redaction([kind.prefix for kind in found.caller_kinds.values()], found.secret_paths())
    token = tokens.generate_token("rob_")

    assert redact(f"GET /api/v1/badges/abcdef0123 by {token}") == "GET /api/v1/badges/… by rob_…"
    assert redact("GET /badge/abcdef0123") == "GET /badge/…"
    assert redact("rob_12345678") == "rob_…"


def test_a_strangers_page_is_the_address_of_stores(found):
    assert found.store_url("https://example.com", "rosas") == "https://example.com/shop/rosas"


def strings_of(path):
    """Yield the strings of a module that are no docstrings, with their lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docs = {id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, holders) and _starts_with_text(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value


def _starts_with_text(node):
    return bool(node.body) and isinstance(node.body[0], ast.Expr) and isinstance(node.body[0].value, ast.Constant)


def test_no_string_of_core_names_a_plugin():
    named = re.compile(rf"(?<![\w:-])({'|'.join(PLUGINS)})(?![\w:-])")
    allowed = tuple(WORDS_OF_THE_INTERFACE)

    found = [
        f"{path.relative_to(CORE)}:{line} {text[:60]!r}"
        for path in sorted(CORE.rglob("*.py"))
        if "templates" not in path.parts and not str(path.relative_to(CORE)).startswith(allowed)
        for line, text in strings_of(path)
        if named.search(text)
    ]

    assert found == []
