"""The commands in the chapter return the documented responses."""

import pytest
from chapters import check, examples
from comanda_customers.plugin import register_docs


@pytest.mark.parametrize(("command", "shown"), examples(register_docs()))
async def test_command_returns_documented_response(client, ada, soup, store_id, command, shown):
    variables = {"STORE_ID": store_id, "CUSTOMER_TOKEN": ada.token, "ITEM_ID": soup["id"]}
    await check(client, command, shown, variables)
