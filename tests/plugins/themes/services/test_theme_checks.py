"""Checks of themes by the tool."""

import asyncio

from comanda_themes.services import theme_checks

from ..conftest import TEMPLATE


async def test_valid_theme_has_no_findings(agent, theme):
    report = await agent.call("validate_theme", {"files": theme})

    assert report["findings"] == []
    assert report["summary"] == {
        "is_valid": True, "errors": 0, "warnings": 0, "files": 17, "files_checked": 17, "findings_left_out": 0,
    }  # fmt: skip


async def test_finding_has_file_line_severity_and_rule(agent, theme):
    files = {**theme, "templates/index.liquid": "\n\n<p>{{ store.titel }}</p>\n{{ 'gone.css' | asset_url }}"}

    report = await agent.call("validate_theme", {"files": files})

    assert report["findings"] == [
        {
            "file": "templates/index.liquid",
            "line": 3,
            "severity": "error",
            "rule": "unknown_property",
            "message": "A store has no titel. Did you mean title?",
        },
        {
            "file": "templates/index.liquid",
            "line": 4,
            "severity": "warning",
            "rule": "missing_asset",
            "message": "The theme has no assets/gone.css.",
        },
    ]
    assert report["summary"]["is_valid"] is False
    assert (report["summary"]["errors"], report["summary"]["warnings"]) == (1, 1)


async def test_other_calls_are_answered_during_a_check(agent, mcp):
    heavy = asyncio.create_task(agent.call("validate_theme", {"files": {TEMPLATE: '<a "' * 200_000}}))
    await asyncio.sleep(0.05)

    assert await mcp("/mcp/dev").result("ping") == {}
    assert not heavy.done()
    assert (await heavy)["summary"]["files_checked"] == 1


async def test_too_many_waiting_checks_are_refused(agent, monkeypatch):
    monkeypatch.setattr(theme_checks._queue, "waiting", theme_checks.MAX_WAITING)

    error = await agent.error("validate_theme", {"files": {TEMPLATE: ""}})

    assert error["code"] == -32006
    assert theme_checks._queue.waiting == theme_checks.MAX_WAITING


async def test_lone_surrogates_do_not_fail(agent):
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"validate_theme","arguments":'
    response = await agent.post(body + b'{"files":{"assets/a.css":"\\ud800"}}}}')

    assert response.status_code in {200, 400}


async def test_items_have_capability_fields(agent):
    found = await agent.call("get_liquid_reference", {"name": "item", "kind": "object"})

    names = [one["name"] for one in found["objects"][0]["properties"]]
    assert {"price", "is_vegan", "calories"} < set(names)
    assert len(set(names)) == len(names)
