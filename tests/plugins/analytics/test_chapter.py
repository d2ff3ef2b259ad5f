"""The commands of the chapter return the responses shown."""

import pytest
from chapters import check, examples
from comanda.accounts import services as accounts
from comanda.devkit.testing import line
from comanda.platform import runtime
from comanda_analytics.plugin import register_docs


@pytest.mark.parametrize(("command", "shown"), examples(register_docs()))
async def test_command_returns_response_shown(client, owner, shop, command, shown):
    first = await shop.place_order(line(shop.soup, 2), line(shop.cake))
    await shop.place_order(line(shop.cake, 4), type="on-table", table_number="4")
    await shop.pay(first)
    kind = runtime.registry().caller_kinds["staff"]
    staff = await accounts.issue_token(kind, owner.id, ["analytics"], name="till", store_id=shop.id, subject_id=1)
    variables = {"STORE_ID": shop.id, "API_TOKEN": owner.token, "STAFF_TOKEN": staff.secret}
    await check(client, command, shown, variables)
