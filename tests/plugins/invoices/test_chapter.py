"""The commands of the chapter return the responses shown."""

import pytest
from chapters import check, examples
from comanda_invoices.plugin import register_docs


@pytest.mark.parametrize(("command", "shown"), examples(register_docs()))
async def test_command_returns_response_shown(
    client, store, owner, invoice, paid_order, new_order, pay, command, shown
):
    order = await new_order()
    await pay(order)
    values = {"OWNER_TOKEN": owner.token, "STORE_ID": store.id, "ORDER_ID": order["id"], "INVOICE_ID": invoice["id"]}
    await check(client, command, shown, values)
