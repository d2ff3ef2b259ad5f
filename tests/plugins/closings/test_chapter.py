"""The commands of the chapter return the documented responses."""

import pytest
from chapters import check, examples
from comanda.devkit.testing import line
from comanda_closings.plugin import register_docs


@pytest.mark.parametrize(("command", "shown"), examples(register_docs()))
async def test_command_returns_the_documented_response(client, owner, shop, command, shown):
    await shop.pay(await shop.order(line(shop.soup)), tip=1)
    if "closings/open" in command:
        await shop.close()

    await check(client, command, shown, {"OWNER_TOKEN": owner.token, "STORE_ID": shop.id})
