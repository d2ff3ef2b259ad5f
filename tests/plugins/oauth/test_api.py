"""What other plugins do with clients and installations."""

import pytest
from comanda.basics import ComandaError, Forbidden, NotFound
from comanda.contracts import Caller, PageRequest
from comanda_oauth import api


@pytest.fixture
async def installed(create_client, owner):
    issued = await create_client()
    return await api.install(owner.id, issued.client.id, ("menu:read",), actor="owner:1")


async def test_installation_is_found_by_its_owner_only(installed, owner, other_owner):
    assert await api.find_installation(owner.id, installed.id) == installed
    assert await api.find_active_installation(owner.id, installed.client_row_id) == installed
    assert (await api.list_installations(owner.id, PageRequest(1, None))).data == [installed]
    assert await api.count_installations(installed.client_row_id) == 1
    assert await api.find_installation(other_owner.id, installed.id) is None
    assert (await api.list_installations(other_owner.id, PageRequest(1, None))).total == 0
    with pytest.raises(NotFound):
        await api.uninstall(other_owner.id, installed.id, "owner:2")


async def test_ended_installation_is_kept_and_a_new_one_is_another(installed, owner, published):
    ended = await api.uninstall(owner.id, installed.id, "owner:1")
    again = await api.install(owner.id, installed.client_row_id, ("menu:read",), actor="owner:1")
    await api.uninstall(owner.id, installed.id, "owner:1")

    assert (ended.is_active, again.is_active, again.id != ended.id) == (False, True, True)
    names = [name for name, _ in await published()]
    assert (names.count("app.installed"), names.count("app.uninstalled")) == (2, 1)


async def test_tokens_of_an_installation_work(installed, owner, status_of):
    tokens = await api.issue_access_token(owner.id, installed.id)

    assert await status_of(getattr(tokens, "access_token", tokens)) == 200
    await api.uninstall(owner.id, installed.id, "owner:1")
    with pytest.raises(NotFound):
        await api.issue_access_token(owner.id, installed.id)


async def test_installation_of_a_caller(installed, owner):
    app = Caller("app", 1, owner.id, None, installed.id, frozenset(), None, "owner")

    assert await api.installation_of(app) == installed
    with pytest.raises(Forbidden):
        await api.installation_of(Caller("owner", 1, owner.id, None, None, frozenset("*"), None))


async def test_client_for_its_developer_is_for_nobody_else(create_client, owner, developer):
    issued = await create_client(audience=api.Audience.DEVELOPER)

    with pytest.raises(ComandaError):
        await api.install(owner.id, issued.client.id, ("menu:read",), actor="owner:1")
    assert await api.find_active_installation(owner.id, issued.client.id) is None
    assert (await api.install(developer.id, issued.client.id, ("menu:read",), actor="owner:1")).is_active
