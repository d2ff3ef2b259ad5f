"""Access tokens of owners' logins."""

from datetime import timedelta

import pytest
from comanda.accounts import owner_login, services, web_sessions
from comanda.basics.errors import Unauthenticated

PASSWORD = "lemon tart at dawn"


@pytest.fixture
async def login(owner):
    await owner_login.set_owner_password(owner.id, PASSWORD)
    return await owner_login.login_owner(owner.email, PASSWORD, "192.0.2.0")


async def get_me(client, secret):
    return await client.get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"})


async def test_each_use_extends_the_token_to_ninety_days(client, owner, login, clock):
    issued = await owner_login.issue_login_token(login, name="Ada's phone")
    assert issued.expires_at == clock() + timedelta(days=90)

    for _ in range(3):
        clock.advance(days=89)
        assert (await get_me(client, issued.secret)).status_code == 200
    clock.advance(days=91)
    assert (await get_me(client, issued.secret)).status_code == 401


async def test_personal_token_keeps_its_end(client, owner, clock):
    kind = owner_login.runtime.registry().caller_kinds["owner"]
    issued = await services.issue_owner_token(kind, owner.id, ["*"], name="x", expires_at=clock() + timedelta(days=2))

    clock.advance(days=1)
    assert (await get_me(client, issued.secret)).status_code == 200
    clock.advance(days=1)
    assert (await get_me(client, issued.secret)).status_code == 401


async def test_new_password_revokes_the_tokens_of_logins_alone(client, owner, login):
    issued = await owner_login.issue_login_token(login, name="phone")
    session, _ = await web_sessions.create_session(owner_id=owner.id, token_id=issued.id)

    await owner_login.set_owner_password(owner.id, "another lemon tart")

    assert (await get_me(client, issued.secret)).status_code == 401
    assert await web_sessions.find_session(session) is None
    assert (await get_me(client, owner.token)).status_code == 200


async def test_login_before_a_new_password_gets_no_token(owner, login):
    await owner_login.set_owner_password(owner.id, "another lemon tart")

    with pytest.raises(Unauthenticated):
        await owner_login.issue_login_token(login, name="phone")


async def test_session_has_the_scopes_that_its_token_has_now(owner):
    kind = owner_login.runtime.registry().caller_kinds["owner"]
    issued = await services.issue_token(kind, owner.id, ["*"], name="x", subject_id=owner.id)
    secret, _ = await web_sessions.create_session(owner_id=owner.id, token_id=issued.id, scopes=["*"])

    await services.update_scopes(owner.id, "owner", owner.id, ["menu:read"])

    assert (await web_sessions.find_session(secret)).scopes == {"menu:read"}
