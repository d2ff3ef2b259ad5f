"""The commands of the chapter return the documented responses."""

import pytest
from chapters import check, examples
from comanda_drawer.plugin import register_docs


@pytest.mark.parametrize(("command", "shown"), examples(register_docs()))
async def test_command_returns_the_documented_response(client, owner, drawers, command, shown):
    ana = await drawers.add_member()
    shift = await drawers.open_shift("Terrace", 20)
    ids = {"STORE_ID": drawers.id, "SHIFT_ID": shift["id"]}

    await check(client, command, shown, {"OWNER_TOKEN": owner.token, "STAFF_TOKEN": ana.secret, **ids})
