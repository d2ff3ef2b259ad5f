"""A plugin with servers for every audience and a tool for every turn that a call can take."""

import types
from datetime import date
from enum import StrEnum

import pytest
from comanda import hookimpl
from comanda.accounts import services as accounts
from comanda.basics.errors import NotFound
from comanda.composition import plugin_loader, registry
from comanda.composition.app import create_app
from comanda.contracts.registry import Plugin
from comanda.contracts.requests.callers import CallerKind
from comanda.contracts.requests.fields import Id, Name, Text
from comanda.contracts.requests.mcp import Arguments, FailedResult, JsonResult, McpServer, Tool, ToolRefused
from comanda.contracts.scopes import Scope
from comanda.devkit.testing.client import CheckedClient
from comanda.devkit.testing.mcp import McpClient
from comanda.platform import runtime as runtime_module
from comanda.platform.runtime import Runtime
from pydantic import BaseModel, Field

CALLS = []

OFFICE = McpServer("office", "/agents", "Office", "Start with greet.", callers=("owner",))
KIOSK = McpServer("kiosk", "/agents/kiosk", "Kiosk", "One store.", callers=("kiosk",), scope="agent")
PARK = McpServer("park", "/agents/park", "Park", "Open to all.", is_cors=True)
GARDEN = McpServer("garden", "/agents/garden", "Garden", "Open to all programs.")

KIOSK_KIND = CallerKind("kiosk", "kio_", header="x-kiosk-token")
GADGET_KIND = CallerKind("gadget", "gad_", acts_as="owner")


class Mood(StrEnum):
    CALM = "calm"
    WILD = "wild"


class Side(BaseModel):
    name: Name = Field(description="What it is called.")
    grams: Id | None = Field(None, description="Its weight in grams.")


class Greet(Arguments):
    name: Name = Field(description="Whom to greet.")
    times: Id = Field(1, le=5, description="How often, from 1 to 5.")
    mood: Mood | None = Field(None, description="How to say it.")
    on: date | None = Field(None, description="The day in the store's time zone.")
    sides: list[Side] = Field([], max_length=3, description="What comes with it.")
    note: Text | None = Field(description="A note, or null to take it away.")


class Greeting(BaseModel):
    text: str
    mood: Mood | None
    on: date | None = None
    sides: list[Side] = []


class Nothing(Arguments):
    pass


class Lookup(Arguments):
    restaurant_id: Id = Field(description="The store's id.")


class Done(BaseModel):
    is_done: bool
    messages: list[str] = []


class Menu(BaseModel):
    categories: list[str]


async def greet(call, arguments):
    CALLS.append((call, arguments))
    text = " ".join([f"Hello {arguments.name}."] * arguments.times)
    return Greeting(text=text, mood=arguments.mood, on=arguments.on, sides=arguments.sides)


async def get_menu(call, arguments):
    return JsonResult(b'{"categories":["Soups","Caf\xc3\xa9s"]}')


async def find_store(call, arguments):
    raise NotFound(f"There is no store {arguments.restaurant_id}.")


async def rename(call, arguments):
    CALLS.append((call, arguments))
    return {"is_done": True}


async def haggle(call, arguments):
    raise ToolRefused("The total is another now.", "price_changed", total="12.50")


async def half(call, arguments):
    return FailedResult(Done(is_done=False, messages=["Sold out."]))


async def explode(call, arguments):
    raise RuntimeError("the secret recipe")


async def lose_database(call, arguments):
    raise ConnectionRefusedError("postgres is away")


async def whisper(call, arguments):
    return {"text": "a\u202eb\x07\x85\tc\nd \\u0007 \U000e0041é", "mood": None, "on": None, "sides": []}


def tool(name, handler, arguments=Nothing, result=Done, servers=("office",), **options):
    return Tool(name, name.title(), f"Does {name}.", servers, arguments, result, handler, **options)


TOOLS = [
    tool("greet", greet, Greet, Greeting, ("office", "kiosk", "park", "garden", "admin")),
    tool("get_menu", get_menu, result=Menu, scope="read", resource="menu", is_read_only=True),
    tool("rename", rename, scope="write", resource="menu", is_idempotent=True),
    tool("delete", rename, scope="menu:write", is_destructive=True),
    tool("find_store", find_store, Lookup, scope="restaurants:read"),
    tool("haggle", haggle),
    tool("half", half),
    tool("explode", explode),
    tool("lose_database", lose_database),
    tool("whisper", whisper, result=Greeting),
    tool("whisper", whisper, result=Greeting, servers=("park",)),
    tool("price", haggle, servers=("kiosk",), scope="menu:read"),
]


def plugin(name, **hooks):
    """Make a plugin whose hooks return what is given."""
    module = types.ModuleType(f"comanda_{name}.plugin")
    for hook, declared in hooks.items():
        setattr(module, hook, hookimpl(lambda declared=declared: declared))
    return Plugin(name, f"comanda-{name}", "1.0", (module,))


FAIR = plugin(
    "fair",
    register_caller_kinds=[KIOSK_KIND, GADGET_KIND],
    register_scopes=[Scope(name, "Do it", kinds=("kiosk",)) for name in ("agent", "menu:read", "orders:read")],
    register_mcp_servers=[OFFICE, KIOSK, PARK, GARDEN],
    register_mcp_tools=TOOLS,
)


@pytest.fixture(scope="session")
def fair_registry():
    return registry.gather([*plugin_loader.load(), FAIR])


@pytest.fixture(scope="session")
def fair_app(app, settings, fair_registry):
    """An application with the plugin."""
    other = create_app(Runtime(settings, fair_registry), with_background=False)
    other.test_client_class = CheckedClient
    return other


@pytest.fixture
def fair(fair_app, runtime, settings, fair_registry):
    """A client of the application with the plugin."""
    runtime_module.use(Runtime(settings, fair_registry))
    CALLS.clear()
    yield fair_app.test_client()
    runtime_module.use(runtime)


@pytest.fixture
def calls():
    """What tools were called with."""
    return CALLS


@pytest.fixture
def agent(fair, owner):
    """The owner's agent, who may do everything."""
    return McpClient(fair, OFFICE.path, owner.auth)


@pytest.fixture
def stranger(fair):
    """An agent on the public server."""
    return McpClient(fair, PARK.path)


@pytest.fixture
def agent_with(fair, owner):
    """Make an agent of the owner's with these scopes."""

    async def make(*scopes):
        return McpClient(fair, OFFICE.path, await owner.token_with(*scopes))

    return make


@pytest.fixture
def token_of(fair, owner):
    """Make a token of another kind."""

    async def make(kind, *scopes):
        declared = runtime_module.registry().caller_kinds[kind]
        return (await accounts.issue_token(declared, owner.id, scopes, name="test")).secret

    return make


@pytest.fixture
def make_plugin():
    """Make a plugin whose hooks return what is given."""
    return plugin


@pytest.fixture
def configure(fair, settings, fair_registry):
    """Return a function that changes settings while the test runs."""

    def change(**changed):
        runtime_module.use(Runtime(settings.model_copy(update=changed), fair_registry))

    return change
