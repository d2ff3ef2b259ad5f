"""The commands of the chapter on invoices return the responses shown."""

from datetime import UTC, datetime

import pytest
from chapters import check, examples
from comanda_reseller.plugin import register_docs
from reselling import Reseller

CHAPTER = [chapter for chapter in register_docs() if chapter.name == "reseller-invoices"]


@pytest.mark.parametrize(("command", "shown"), examples(CHAPTER))
async def test_command_returns_response_shown(client, owner, clock, command, shown):
    clock.set(datetime(2030, 1, 31, 10, 0, tzinfo=UTC))
    reseller = await Reseller.create(client, owner, tax_ppm=190_000)
    customer = await reseller.customer(10_000)
    await reseller.send("POST", "/reseller/plans", {"code": "pro", "name": "Pro", "price": 29})
    await reseller.send("POST", "/reseller/subscriptions", {"customer_id": customer.id, "plan_code": "pro"})

    await check(client, command, shown, {"RESELLER_TOKEN": owner.token, "CUSTOMER_TOKEN": customer.token})
