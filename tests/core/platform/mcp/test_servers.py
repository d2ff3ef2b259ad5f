"""Servers and tools that disagree, or that no agent could use, stop the start with a line that names the plugins."""

import dataclasses

import pytest
from comanda.accounts.plugin import OWNER_KIND, register_scopes
from comanda.basics.startup_errors import DuplicateRegistration, InvalidDeclaration, UnknownReference
from comanda.composition import registry
from comanda.contracts.registry import Plugin
from comanda.contracts.requests.mcp import Arguments, McpServer, Tool
from pydantic import BaseModel, Field, RootModel


class Described(Arguments):
    name: str = Field(description="A name.")


class Undescribed(Arguments):
    name: str


class Inner(BaseModel):
    grams: int


class Nested(Arguments):
    sides: list[Inner] = Field(description="Sides.")


class Branch(BaseModel):
    branches: list["Branch"] = Field([], description="More.")


class Endless(Arguments):
    branch: Branch = Field(description="One.")


class Result(BaseModel):
    is_done: bool


class Several(RootModel[list[int]]):
    pass


async def nothing(call, arguments):
    return Result(is_done=True)


SERVER = McpServer("rose", "/rose", "Rose", "Smell.", callers=("owner",))
TOOL = Tool("smell", "Smell", "Smells.", ("rose",), Described, Result, nothing)


def changed(declaration, **fields):
    return dataclasses.replace(declaration, **fields)


@pytest.fixture
def gather(make_plugin):
    """Gather core and plugins by name, each with its servers and tools."""

    def gathered(**declared):
        core = Plugin(
            "core",
            "comanda-core",
            "1.0",
            make_plugin("core", register_caller_kinds=[OWNER_KIND], register_scopes=register_scopes()).modules,
        )
        made = [
            make_plugin(name, register_mcp_servers=servers, register_mcp_tools=tools)
            for name, (servers, tools) in declared.items()
        ]
        return registry.gather([core, *made])

    return gathered


def test_a_server_and_its_tools_are_gathered(gather):
    made = gather(rose=([SERVER], [TOOL]), tulip=([], [changed(TOOL, name="cut"), changed(TOOL, servers=("admin",))]))

    assert dict(made.mcp_servers) == {"rose": SERVER}
    assert list(made.mcp_tools) == ["rose/smell", "rose/cut", "admin/smell"]
    assert [route.full_path for route in made.routes] == ["/rose"]
    assert made.contributions["tulip"] == {"MCP tool": ("rose/cut", "admin/smell")}


def test_one_name_may_be_two_tools_of_two_servers(gather):
    tools = [TOOL, changed(TOOL, servers=("catalog",), description="Another.")]

    assert len(gather(rose=([SERVER], tools)).mcp_tools) == 2


@pytest.mark.parametrize(
    ("servers", "tools", "stopped", "message"),
    [
        ([SERVER, SERVER], [], DuplicateRegistration, "the MCP server rose"),
        ([SERVER, changed(SERVER, name="tulip")], [], DuplicateRegistration, "the route POST /rose"),
        ([changed(SERVER, name="Rose!")], [], InvalidDeclaration, "a name of lower-case letters"),
        ([changed(SERVER, path="rose")], [], InvalidDeclaration, "a path beside /api/v1"),
        ([changed(SERVER, path="/api/v1/rose")], [], InvalidDeclaration, "a path beside /api/v1"),
        ([changed(SERVER, path="/{rose}")], [], InvalidDeclaration, "a path beside /api/v1"),
        ([changed(SERVER, callers=(), scope="agent")], [], InvalidDeclaration, "the scope agent"),
        ([changed(SERVER, callers=("bee",))], [], UnknownReference, "the kind bee"),
        ([changed(SERVER, scope="agent")], [], UnknownReference, "requires the scope agent"),
        ([SERVER], [changed(TOOL, scope="seeds:sow")], UnknownReference, "requires the scope seeds:sow"),
        ([SERVER], [changed(TOOL, scope="read", resource="seeds")], UnknownReference, "the scope seeds:read"),
        ([SERVER], [TOOL, TOOL], DuplicateRegistration, "the MCP tool rose/smell"),
        ([SERVER], [changed(TOOL, servers=("tulip",))], UnknownReference, "the server tulip"),
        ([SERVER], [changed(TOOL, servers=())], InvalidDeclaration, "a title, a description and a server"),
        ([SERVER], [changed(TOOL, description="")], InvalidDeclaration, "a title, a description and a server"),
        ([SERVER], [changed(TOOL, name="Smell it")], InvalidDeclaration, "a name of lower-case letters"),
        ([changed(SERVER, callers=())], [changed(TOOL, scope="read")], InvalidDeclaration, "public server rose"),
        ([SERVER], [changed(TOOL, arguments=Undescribed)], InvalidDeclaration, "the argument name has no description"),
        ([SERVER], [changed(TOOL, arguments=Nested)], InvalidDeclaration, "sides.grams has no description"),
        ([SERVER], [changed(TOOL, arguments=Endless)], InvalidDeclaration, "Branch contains itself"),
        ([SERVER], [changed(TOOL, result=Several)], InvalidDeclaration, "the result is not an object"),
    ],
)
def test_a_declaration_that_cannot_be_served_stops_the_start(gather, servers, tools, stopped, message):
    with pytest.raises(stopped) as problem:
        gather(rosery=(servers, tools))

    assert message in str(problem.value)
    assert "rosery" in str(problem.value)
    assert "\n" not in str(problem.value)


def test_two_plugins_with_one_tool_are_both_named(gather):
    with pytest.raises(DuplicateRegistration, match="Plugins rose and tulip both declare the MCP tool rose/smell"):
        gather(rose=([SERVER], [TOOL]), tulip=([], [TOOL]))
