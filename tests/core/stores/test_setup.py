"""The first start: one setup, whoever comes first, all or nothing."""

import asyncio
import dataclasses

import pytest
from comanda.accounts import owner_login, web_sessions
from comanda.accounts.sign_in import one_time_tokens
from comanda.basics.errors import NotFound, ValidationFailed
from comanda.platform.db import sql
from comanda.stores import setup

SETUP = setup.Setup(
    name="Ada Lovelace",
    email="Ada@Example.com",
    password="correct horse battery",
    title="Ada's",
    store_type="restaurant",
    currency="EUR",
    timezone="Europe/Lisbon",
    country="PT",
)
OF_SETUP = "SELECT count(*) FROM core_owner WHERE email LIKE '%ada%@example.com'"


@pytest.fixture
def empty(app, monkeypatch):
    """A database as if it held no owner but those of this test."""
    monkeypatch.setattr(
        setup, "HAS_OWNER", "SELECT EXISTS (SELECT FROM core_owner WHERE email LIKE '%ada%@example.com')"
    )
    return app


@pytest.fixture(autouse=True)
async def clean(app):
    yield
    for row in await sql.fetch("SELECT id FROM core_owner WHERE email LIKE '%ada%@example.com'"):
        await sql.execute("DELETE FROM core_store WHERE owner_id = $1", row["id"])
        await sql.execute("DELETE FROM core_owner WHERE id = $1", row["id"])
    await one_time_tokens.delete_tokens(one_time_tokens.NO_OWNER, setup.PURPOSE)


async def create_token():
    return (await setup.create_setup_link()).rpartition("/")[2]


async def set_up(token, **changes):
    entered = dataclasses.replace(SETUP, **changes)
    return await setup.set_up(token, entered, browser_name="Firefox", address="192.0.2.1")


async def test_setup_creates_administrator_store_and_session(empty):
    session = await web_sessions.find_session(await set_up(await create_token()))

    assert session.is_administrator
    assert (await owner_login.login_owner("ada@example.com", SETUP.password, "192.0.2.9")).id == session.owner_id
    row = await sql.one("SELECT * FROM core_store WHERE owner_id = $1", session.owner_id)
    assert (row["title"], row["currency"], row["timezone"], row["country"]) == ("Ada's", "EUR", "Europe/Lisbon", "PT")
    actions = await sql.fetch("SELECT action FROM core_audit_entry WHERE owner_id = $1", session.owner_id)
    assert [row["action"] for row in actions] == ["account/setup"]


async def test_link_is_good_once(empty):
    token, other = await create_token(), await create_token()
    await set_up(token)

    for used in (token, other):
        assert not await setup.is_setup_token(used)
        with pytest.raises(NotFound):
            await set_up(used, email="second-ada@example.com")

    assert await sql.fetch_value(OF_SETUP) == 1
    assert await setup.create_setup_link() is None


async def test_one_of_two_browsers_wins(empty):
    tokens = [await create_token(), await create_token()]
    results = await asyncio.gather(
        *(set_up(token, email=f"ada{number}@example.com") for number, token in enumerate(tokens * 2)),
        return_exceptions=True,
    )

    assert sorted(type(result).__name__ for result in results) == ["NotFound"] * 3 + ["str"]
    assert await sql.fetch_value(OF_SETUP) == 1


async def test_link_expires_and_ends_with_the_first_owner(empty, clock, monkeypatch):
    token = await create_token()
    assert await setup.is_setup_token(token)
    clock.advance(hours=24, seconds=1)
    assert not await setup.is_setup_token(token)
    fresh = await create_token()
    monkeypatch.setattr(setup, "HAS_OWNER", "SELECT true")
    assert not await setup.is_setup_token(fresh)
    with pytest.raises(NotFound):
        await set_up(fresh)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"password": "short"}, "password"),
        ({"password": "password123"}, "password"),
        ({"email": "ada"}, "email"),
        ({"title": " "}, "title"),
        ({"name": "\0"}, "name"),
        ({"store_type": "casino"}, "store_type"),
        ({"currency": "XXX1"}, "currency"),
        ({"timezone": "Mars/Base"}, "timezone"),
        ({"country": "portugal"}, "country"),
    ],
)
async def test_wrong_fields_leave_nothing_behind(empty, changes, field):
    token = await create_token()

    with pytest.raises(ValidationFailed) as failure:
        await set_up(token, **changes)

    assert list(failure.value.errors) == [field]
    assert await sql.fetch_value(OF_SETUP) == 0
    assert await setup.is_setup_token(token)
