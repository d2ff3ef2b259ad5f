"""The commands of the chapter return the documented responses."""

import pytest
from chapters import check, examples
from comanda_kds.plugin import register_docs


@pytest.mark.parametrize(("command", "shown"), examples(register_docs()))
async def test_command_returns_the_documented_response(client, owner, kitchen, command, shown):
    order = await kitchen.place_order(kitchen.soup)
    cook = await kitchen.add_cook()
    variables = {
        "OWNER_TOKEN": owner.token,
        "STAFF_TOKEN": cook.auth["Authorization"].removeprefix("Bearer "),
        "STORE_ID": kitchen.id,
        "ITEM_ID": kitchen.soup["id"],
        "LINE_ID": order.lines[0],
    }

    await check(client, command, shown, variables)
