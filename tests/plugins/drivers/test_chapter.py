"""The commands of the chapter return the documented responses."""

import pytest
from chapters import check, examples
from comanda_drivers.plugin import register_docs


@pytest.mark.parametrize(("command", "shown"), examples(register_docs()))
async def test_command_returns_the_documented_response(client, kitchen, driver, command, shown):
    order = await kitchen.place_delivery(2, note="Ring twice")
    variables = {"API_TOKEN": kitchen.owner.token, "DRIVER_TOKEN": driver.token, "STORE_ID": kitchen.id}
    assigned = await kitchen.place_assigned(driver) if "$ASSIGNED_ID" in command else order
    await check(client, command, shown, {**variables, "ORDER_ID": order["id"], "ASSIGNED_ID": assigned["id"]})
