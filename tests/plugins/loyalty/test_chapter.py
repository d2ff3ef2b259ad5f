"""The commands of the chapter return the responses shown."""

import pytest
from chapters import check, examples
from comanda_loyalty.plugin import register_docs


@pytest.mark.parametrize(("command", "shown"), examples(register_docs()))
async def test_command_returns_response_shown(client, owner, store_id, command, shown):
    await check(client, command, shown, {"OWNER_TOKEN": owner.token, "STORE_ID": store_id})
