"""Tokens of a grant, and which grants make room for new ones."""

from comanda_oauth.services.tokens import token_issuance


async def test_a_grant_that_is_not_used_makes_room(app_program, status_of, clock, monkeypatch):
    monkeypatch.setattr(token_issuance, "MAX_GRANTS", 3)
    used, unused, newer = [(await app_program.get_tokens())["access_token"] for _ in range(3)]
    assert await status_of(used) == 200

    fourth = (await app_program.get_tokens())["access_token"]
    assert [await status_of(token) for token in (used, unused, newer, fourth)] == [200, 401, 200, 200]

    clock.advance(hours=1)
    assert [await status_of(token) for token in (used, fourth)] == [200, 200]
    await app_program.browser.sign_in()
    await app_program.get_tokens()
    assert [await status_of(token) for token in (used, newer, fourth)] == [200, 401, 200]


async def test_a_refresh_counts_as_use(create_program, status_of, monkeypatch):
    monkeypatch.setattr(token_issuance, "MAX_GRANTS", 2)
    program = await create_program()
    first, second = [await program.get_tokens(expiring="1") for _ in range(2)]
    response = await program.post(grant_type="refresh_token", refresh_token=first["refresh_token"])
    refreshed = await response.get_json()

    await program.get_tokens(expiring="1")

    assert [await status_of(token["access_token"]) for token in (refreshed, second)] == [200, 401]
