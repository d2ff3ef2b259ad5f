"""The commands of the chapter return the documented responses."""

import pytest
from chapters import check, examples
from comanda.devkit.testing import line
from comanda_accounting.plugin import register_docs


@pytest.mark.parametrize(("command", "shown"), examples(register_docs()))
async def test_command_returns_the_documented_response(client, owner, shop, command, shown):
    if "/accounting?" in command:
        await shop.set_accounts(chart="skr03", consultant_number=1001, client_number=1)
        await shop.pay(await shop.order(line(shop.soup)))
        await shop.close()

    await check(client, command, shown, {"OWNER_TOKEN": owner.token, "STORE_ID": shop.id})
