"""The commands of the chapter return the responses shown."""

import pytest
from chapters import check, examples
from comanda_marketplace.plugin import register_docs


@pytest.mark.parametrize(("command", "shown"), examples(register_docs()))
async def test_command_returns_response_shown(client, owner, developer, install, fund, dispatch, command, shown):
    await fund(1000)
    installed = await install(await developer.publish(billing="usage", price=0.05))
    await dispatch()
    variables = {
        "OWNER_TOKEN": owner.token, "APP_TOKEN": installed.token, "APP_ID": installed.app["id"],
        "SITE_URL": "http://comanda.test",
    }  # fmt: skip
    await check(client, command, shown, variables)
