"""The commands of the chapter work, and answer what is shown."""

import pytest
from chapters import check, examples
from comanda_customers.plugin import register_docs


@pytest.mark.parametrize(("command", "shown"), examples(register_docs()))
async def test_a_command_answers_what_is_shown(client, ada, soup, store_id, command, shown):
    variables = {"STORE_ID": store_id, "CUSTOMER_TOKEN": ada.token, "ITEM_ID": soup["id"]}
    await check(client, command, shown, variables)
