"""The commands of the chapter return the responses shown."""

import pytest
from chapters import check, examples
from installed_plugins import get_registry

CHAPTERS = get_registry().docs


@pytest.fixture
async def variables(owner, store, order, new_order):
    other = await new_order()
    ids = {"ORDER_ID": order["id"], "OTHER_ORDER_ID": other["id"], "STORE_ID": store.id}
    return {"OWNER_TOKEN": owner.token, **{name: str(value) for name, value in ids.items()}}


@pytest.mark.parametrize(("command", "shown"), examples([CHAPTERS["payments"]]))
async def test_command_returns_response_shown(client, variables, till, command, shown):
    if "/refunds" in command:
        await till.pay("cash", 5)

    await check(client, command, shown, variables)
