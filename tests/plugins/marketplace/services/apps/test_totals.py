"""What a developer may know of an app's installations."""

from types import SimpleNamespace

import pytest
from comanda.basics import Money, NotFound
from comanda_marketplace.models import App
from comanda_marketplace.services.apps import totals
from comanda_oauth import api as oauth


async def test_totals_count_installations(developer, install, owner, other_owner, dispatch):
    app = await developer.publish()
    await install(app, of=other_owner)
    installed = await install(app)
    await dispatch()
    await oauth.uninstall(owner.id, installed.id, "test")

    await dispatch()

    row = await App.get(id=app["id"], owner_id=developer.owner.id)
    assert await totals.was_installed(row)
    found = await totals.get_totals(SimpleNamespace(owner_id=developer.owner.id), app["id"])
    assert (found.active_installations, found.uninstalled, found.past_due) == (1, 1, 0)
    assert found.usage_charged == Money(0, row.currency)


async def test_app_of_another_developer_has_no_totals(developer, other_developer):
    app = await developer.publish()

    with pytest.raises(NotFound):
        await totals.get_totals(SimpleNamespace(owner_id=other_developer.owner.id), app["id"])
