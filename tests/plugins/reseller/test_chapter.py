"""The commands of the chapter return the responses shown."""

import pytest
from chapters import check, examples
from comanda_reseller.plugin import register_docs


@pytest.mark.parametrize(
    ("command", "shown"), examples([chapter for chapter in register_docs() if chapter.name == "reseller"])
)
async def test_command_returns_response_shown(client, reseller, command, shown):
    customer = await reseller.customer()
    await reseller.subscribe(customer, await reseller.plan("basic"))
    command = command.replace("rosa@tasca.example", f"rosa-{reseller.owner.id}@tasca.example")

    await check(client, command, shown, {"RESELLER_TOKEN": reseller.owner.token, "CUSTOMER_TOKEN": customer.token})
