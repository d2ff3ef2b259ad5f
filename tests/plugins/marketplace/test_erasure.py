"""Erasure of owners who install and develop apps."""

import pytest
from comanda.accounts.owners.owner_erasure import erase_owner
from comanda.basics import Conflict


async def test_installed_app_keeps_its_owner_and_its_developer(developer, install, owner, dispatch):
    await install(await developer.publish())
    await dispatch()

    with pytest.raises(Conflict, match="Apps that may still hold data: 1"):
        await erase_owner(owner.email)
    with pytest.raises(Conflict, match="Installations of the owner's apps at other owners: 1"):
        await erase_owner(developer.owner.email)
