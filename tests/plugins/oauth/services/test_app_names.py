"""The names of apps in histories."""

from comanda_oauth import api
from comanda_oauth.services.app_names import get_names


async def test_names_are_those_of_the_owners_installations(create_client, owner, other_owner):
    issued = await create_client(name="Loyalty Cards")
    installed = await api.install(owner.id, issued.client.id, ["menu:read"], actor="test")

    assert await get_names(owner.id, [installed.id, 0]) == {installed.id: "Loyalty Cards"}
    assert await get_names(other_owner.id, [installed.id]) == {}
