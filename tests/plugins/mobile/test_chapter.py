"""The commands in the chapter return the documented responses."""

import pytest
from chapters import check, examples
from comanda.accounts import create_owner, owner_login
from comanda.stores.services import create_store
from comanda_mobile.plugin import register_docs

PASSWORD = "lemon tart at dawn"
EMAIL = "ada@shop.example"


@pytest.fixture(scope="module")
async def ada(app):
    owner = await create_owner(EMAIL, "Ada Lopes")
    await owner_login.set_owner_password(owner.id, PASSWORD)
    await create_store(owner.id, "Tasca", "restaurant", slug="tasca-of-the-chapter")
    return owner


@pytest.mark.parametrize(("command", "shown"), examples(register_docs()))
@pytest.mark.usefixtures("ada")
async def test_command_returns_documented_response(client, phone, command, shown):
    assert (await phone.log_in(EMAIL)).status == 200

    await check(client, command, shown, {"SITE_URL": "http://comanda.test", "APP_TOKEN": phone.token})
