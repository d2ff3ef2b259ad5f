"""The events of installations."""

from comanda_oauth import api


async def test_events_of_an_installation(create_client, owner, published):
    issued = await create_client(name="Loyalty Cards")
    installed = await api.install(owner.id, issued.client.id, ["menu:read"], actor="test")
    await api.uninstall(owner.id, installed.id, "test")
    await api.uninstall(owner.id, installed.id, "test")

    found = [(name, data) for name, data in await published() if name.startswith("app.")]

    assert [name for name, _ in found] == ["app.installed", "app.uninstalled"]
    assert all(data["installation_id"] == installed.id for _, data in found)
