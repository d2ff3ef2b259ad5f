"""Refresh tokens: rotation, repeats, reuse and parallel use."""

import asyncio

from comanda.platform.db import sql


async def read_error(response):
    document = await response.get_json()
    assert response.headers["Cache-Control"] == "no-store"
    assert document["message"] == document["error_description"]
    return response.status_code, document["error"], document["code"]


async def test_refresh_issues_new_tokens(app_program, status_of):
    first = await app_program.get_tokens(expiring="1")

    second = await (await app_program.refresh(first["refresh_token"])).get_json()

    assert second["refresh_token"] != first["refresh_token"]
    assert (second["scope"], second["installation_id"]) == (first["scope"], first["installation_id"])
    assert await status_of(second["access_token"]) == 200


async def test_lost_answer_can_be_repeated_until_the_successor_is_used(app_program, status_of):
    first = await app_program.get_tokens(expiring="1")

    lost = await (await app_program.refresh(first["refresh_token"])).get_json()
    second = await (await app_program.refresh(first["refresh_token"])).get_json()
    third = await (await app_program.refresh(second["refresh_token"])).get_json()

    assert await status_of(third["access_token"]) == 200
    assert await status_of(lost["access_token"]) == 401


async def test_reuse_of_a_refresh_token_ends_the_grant(app_program, status_of):
    first = await app_program.get_tokens(expiring="1")
    second = await (await app_program.refresh(first["refresh_token"])).get_json()
    third = await (await app_program.refresh(second["refresh_token"])).get_json()

    reused = await app_program.refresh(first["refresh_token"])

    assert await read_error(reused) == (400, "invalid_grant", "bad_request")
    assert await status_of(third["access_token"]) == 401
    assert (await app_program.refresh(third["refresh_token"])).status_code == 400


async def test_stolen_sibling_ends_the_grant(app_program, status_of):
    """A thief and the client both refresh with one token; whoever is second to use a successor is found out."""
    first = await app_program.get_tokens(expiring="1")
    stolen = await (await app_program.refresh(first["refresh_token"])).get_json()
    mine = await (await app_program.refresh(first["refresh_token"])).get_json()
    latest = await (await app_program.refresh(mine["refresh_token"])).get_json()

    assert (await app_program.refresh(stolen["refresh_token"])).status_code == 400
    assert await status_of(latest["access_token"]) == 401


async def test_parallel_refreshes_leave_one_line_of_tokens(app_program, owner):
    first = await app_program.get_tokens(expiring="1")

    responses = await asyncio.gather(*(app_program.refresh(first["refresh_token"]) for _ in range(6)))
    tokens = [(await response.get_json())["refresh_token"] for response in responses]
    used = await app_program.refresh(tokens[3])

    assert [response.status_code for response in responses] == [200] * 6
    assert used.status_code == 200
    valid = await sql.fetch_value(
        "SELECT count(*) FROM oauth_refresh_token WHERE owner_id = $1 AND superseded_at IS NULL", owner.id
    )
    assert valid == 2


async def test_refresh_token_expires_after_ninety_days(app_program, clock):
    tokens = await app_program.get_tokens(expiring="1")

    clock.advance(days=89)
    again = await (await app_program.refresh(tokens["refresh_token"])).get_json()
    clock.advance(days=91)

    assert (await app_program.refresh(again["refresh_token"])).status_code == 400


async def test_refresh_token_of_another_client_is_refused(app_program, create_program):
    thief = await create_program(name="Thief")
    tokens = await app_program.get_tokens(expiring="1")

    assert await read_error(await thief.refresh(tokens["refresh_token"])) == (400, "invalid_grant", "bad_request")
    assert (await app_program.refresh(tokens["refresh_token"])).status_code == 200


async def test_refresh_may_narrow_scopes_and_never_widen_them(app_program):
    tokens = await app_program.get_tokens(expiring="1", scope="menu:write orders:read")

    narrow = await (await app_program.refresh(tokens["refresh_token"], scope="menu:read")).get_json()
    wide = await app_program.refresh(tokens["refresh_token"], scope="menu:read mcp:use")

    assert narrow["scope"] == "menu:read"
    assert await read_error(wide) == (400, "invalid_scope", "bad_request")
    assert (await (await app_program.refresh(narrow["refresh_token"])).get_json())["scope"] == "menu:write orders:read"
