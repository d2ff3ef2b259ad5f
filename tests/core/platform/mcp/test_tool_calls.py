"""Calls of tools: results, refusals and errors."""

import pytest
from comanda.platform.mcp import tool_calls


async def test_a_call_answers_as_structure_and_as_text(agent, calls, owner):
    arguments = {"name": "Ana", "times": 2, "mood": "calm", "on": "2026-02-28", "note": None}
    document = await agent.call("greet", {**arguments, "sides": [{"name": "Bread"}]})

    assert document == {
        "text": "Hello Ana. Hello Ana.",
        "mood": "calm",
        "on": "2026-02-28",
        "sides": [{"name": "Bread", "grams": None}],
    }
    (call, _), *others = calls
    assert others == []
    assert (call.server, call.caller.owner_id, call.known_caller.kind) == ("office", owner.id, "owner")
    assert call.request_id
    assert call.client


async def test_ready_json_goes_out_as_it_is(agent):
    result = await agent.result("tools/call", {"name": "get_menu"})

    assert result["structuredContent"] == {"categories": ["Soups", "Cafés"]}
    assert result["content"] == [{"type": "text", "text": '{"categories":["Soups","Cafés"]}'}]


async def test_an_argument_that_may_be_left_out_may_be_null_too(agent):
    assert (await agent.call("greet", {"name": "Ana", "note": None, "mood": None}))["mood"] is None
    assert (await agent.call("greet", {"name": "Ana", "note": None, "times": None}))["text"] == "Hello Ana."


@pytest.mark.parametrize(
    ("arguments", "errors"),
    [
        ({"note": None}, {"name": ["This field is required."]}),
        ({"name": "A", "note": None, "times": 9}, {"times": ["Must be 5 or less."]}),
        ({"name": "A", "note": None, "mood": "sad"}, {"mood": ["Must be one of: calm, wild."]}),
        ({"name": "A", "note": None, "sides": [{"grams": 1}]}, {"sides.0.name": ["This field is required."]}),
        (
            {"name": "A", "note": None, "who": 1},
            {"who": ["Unknown argument. Valid arguments: name, times, mood, on, sides, note."]},
        ),
        ({"name": 7, "note": True}, {"name": ["Must be a string."], "note": ["Must be a string."]}),
    ],
)
async def test_invalid_arguments_are_explained(agent, calls, arguments, errors):
    document = await agent.refused("greet", arguments)

    assert document["code"] == "validation_failed"
    assert document["errors"] == errors
    assert document["message"]
    assert calls == []


async def test_record_of_other_owner_returns_not_found(agent):
    assert await agent.refused("find_store", {"restaurant_id": 7}) == {
        "message": "There is no store 7.",
        "code": "not_found",
    }


async def test_tool_refusal_has_own_code(agent):
    assert await agent.refused("haggle") == {
        "message": "The total is another now.",
        "code": "price_changed",
        "total": "12.50",
    }


async def test_a_failure_may_have_the_fields_of_success(agent):
    assert await agent.refused("half") == {"is_done": False, "messages": ["Sold out."]}


async def test_internal_error_is_reported_briefly(agent):
    response = await agent.post({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "explode"}})
    reply = await response.get_json()

    assert response.status_code == 500
    assert reply["id"] == 5
    assert (reply["error"]["code"], reply["error"]["data"]["code"]) == (-32603, "server_error")
    assert "secret" not in str(reply)


async def test_unavailable_database_can_be_retried(agent):
    message = {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "lose_database"}}
    response = await agent.post(message)
    error = (await response.get_json())["error"]

    assert (response.status_code, response.headers["Retry-After"]) == (503, "1")
    assert (error["code"], error["data"]["code"]) == (-32006, "unavailable")


async def test_invisible_text_does_not_reach_model(agent):
    assert (await agent.call("whisper"))["text"] == "ab\tc\nd \\u0007 é"


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"name": "nope"}, "Unknown tool: nope"),
        ({}, "The name of a tool is required."),
        ({"name": 3}, "The name of a tool is required."),
        ({"name": "greet", "arguments": []}, "The arguments of a tool must be an object."),
        ({"name": "greet", "arguments": "x"}, "The arguments of a tool must be an object."),
        ({"name": "price"}, "Unknown tool: price"),
    ],
)
async def test_invalid_call_is_a_protocol_error(agent, calls, params, message):
    error = (await agent.request("tools/call", params))["error"]

    assert (error["code"], error["message"]) == (-32602, message)
    assert calls == []


async def test_log_has_caller_tool_and_outcome(agent, owner, monkeypatch):
    lines = []
    monkeypatch.setattr(tool_calls.AUDIT, "write", lambda name, **line: lines.append((name, line)))
    await agent.post(
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "haggle"}}, X_Request_Id="r1"
    )

    (name, line), *others = lines
    assert others == []
    assert name == "mcp_tool_call"
    assert (line["server"], line["tool"], line["caller"]) == ("office", "haggle", f"owner:{owner.id}")
    assert (line["outcome"], line["request_id"]) == ("price_changed", "r1")
    assert line["arguments_sha256"] == "44136fa355b3678a"
