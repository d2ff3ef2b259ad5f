"""Core's chapters say what the code does: their commands are run, and what they name is there."""

import re

import chapters
import pytest
from comanda.basics import errors
from comanda.contracts.orders.status import DeliveryStatus, PaymentStatus, Status
from comanda.contracts.scopes import ALIASES, COARSE
from comanda.contracts.stores.verticals import KNOWN_CAPABILITIES
from comanda.devkit.testing.stores import line
from comanda.platform.mcp.negotiation import VERSIONS
from comanda.stores.schemas import SettingsChange
from comanda.web import plugin as web
from installed_plugins import get_registry

REGISTRY = get_registry()
CHAPTERS = {chapter.name: chapter for chapter in web.register_docs()}
# The guide for authors of plugins shows routes that they would write, and the reference shows no routes.
OF_THE_API = {name: chapter for name, chapter in CHAPTERS.items() if name not in {"plugins", "reference"}}


@pytest.fixture
async def variables(owner, store):
    item = await store.item("Minestrone", 7.5)
    order = await store.order(line(item))
    report = await owner.token_with("orders:read", "analytics:read")
    return {
        "OWNER_TOKEN": owner.token,
        "REPORT_TOKEN": report["Authorization"].removeprefix("Bearer "),
        "STORE_ID": store.id,
        "CATEGORY_ID": item["category_id"],
        "ITEM_ID": item["id"],
        "ORDER_ID": order["id"],
        "TRACK_TOKEN": order["track_token"],
    }


@pytest.mark.parametrize(("command", "shown"), chapters.examples(OF_THE_API.values()))
async def test_command_returns_documented_answer(client, variables, command, shown):
    await chapters.check(client, command, shown, variables)


def test_every_chapter_is_there_and_begins_below_the_title():
    assert list(CHAPTERS) == [
        "start",
        "api",
        "tokens",
        "stores",
        "menus",
        "orders",
        "pricing",
        "price-lists",
        "agents",
        "plugins",
        "reference",
    ]
    for chapter in CHAPTERS.values():
        assert re.findall(r"^# ", re.sub(chapters.BLOCK, "", chapter.text), re.MULTILINE) == []


@pytest.mark.parametrize("chapter", OF_THE_API.values(), ids=OF_THE_API)
def test_every_path_of_the_api_is_one_of_cores_routes(runtime, chapter):
    routes = {
        re.sub(r"\{\w+\}", "{}", name.partition(" ")[2]) for name in runtime.registry.contributions["core"]["route"]
    }
    text = re.sub(r"\$BASE_URL", "/api/v1", chapter.text)
    named = {path.rstrip("/") for path in re.findall(r"(/api/v1[\w/{}$.-]*)", text)}

    unknown = [path for path in named if re.sub(r"\{\w+\}|\$[A-Z_]+|(?<=/)\d+", "{}", path) not in routes]
    assert unknown == []


def test_the_table_of_errors_lists_every_code_with_its_status():
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.ComandaError)]
    listed = re.findall(r"^\| (\d{3}) \| `(\w+)` \|", CHAPTERS["api"].text, re.MULTILINE)

    assert {(int(status), code) for status, code in listed} == {(kind.status, kind.code) for kind in kinds}


def test_chapters_name_every_scope():
    text = CHAPTERS["tokens"].text
    named = set(re.findall(r"`([a-z*]+:[a-z]+|\*|read|write)`", text)) - {"resource:action"}

    declared = set(REGISTRY.list_scopes("owner"))
    assert declared | set(ALIASES) >= named
    # Plugins explain the scopes that they add in chapters of their own.
    texts = [chapter.text for chapter in REGISTRY.docs.values()]
    assert [scope for scope in declared if not any(f"`{scope}`" in text for text in texts)] == []
    assert set(COARSE) <= declared


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("orders", [*Status, *DeliveryStatus, *PaymentStatus]),
        ("stores", [*KNOWN_CAPABILITIES, *SettingsChange.model_fields]),
        ("agents", VERSIONS),
    ],
)
def test_a_chapter_names_them_all(name, words):
    assert [word for word in words if f"`{word}`" not in CHAPTERS[name].text] == []
