"""The commands of the chapter return the responses shown."""

import pytest
from chapters import check, examples
from comanda.devkit.testing import line
from comanda_loyalty.plugin import register_docs


@pytest.mark.parametrize(("command", "shown"), examples(register_docs()))
async def test_command_returns_response_shown(
    client, owner, store, soup, programme, waiter, new_contact, command, shown
):
    await new_contact("+351912345678", "Ana")
    order = await store.order(line(soup, 2))
    variables = {"OWNER_TOKEN": owner.token, "STORE_ID": store.id}

    await check(client, command, shown, {**variables, "STAFF_TOKEN": waiter.token, "ORDER_ID": order["id"]})
