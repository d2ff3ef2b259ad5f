"""The commands in the chapter return the documented responses."""

import pytest
from chapters import check, examples
from comanda_staff.plugin import register_docs


@pytest.mark.parametrize(("command", "shown"), examples(register_docs()))
async def test_command_returns_documented_response(client, store, create_member, command, shown):
    soup = await store.item("Soup", price=5)
    person = await create_member("manager", email="marta@shop.example", password="correct horse", pin="8301")
    await person.log_in(password="correct horse")
    variables = {
        "STORE_ID": store.id, "STAFF_TOKEN": person.token, "API_TOKEN": store.owner.token, "ITEM_ID": soup["id"],
    }  # fmt: skip
    await check(client, command, shown, variables)
