"""The brand of a reseller on the pages and e-mails of its customers."""

import re

import pytest
from comanda.devkit.testing import create_test_owner, sign_in
from comanda.platform.db import sql
from comanda_notifications import api as notifications

BRAND = {"name": "Norte <Digital>", "email": "help@norte.example"}
SELECT_SENDER = """
    SELECT sender_name, reply_to FROM notifications_message WHERE owner_id = $1 ORDER BY id DESC LIMIT 1
"""


async def read_mark(app, owner):
    page = await (await sign_in(app, owner.id)).get("/wallet")
    return re.sub("<[^>]+>", "", re.search(r'<a class="mark"[^>]*>(.*?)</a>', page)[1]).strip()


async def read_sender(owner):
    await notifications.send_template(
        "wallet.low_balance", to="x@example.com", channel="email", owner_id=owner.id,
        values={"name": "X", "balance": "1", "threshold": "2", "currency": "EUR"},
    )  # fmt: skip
    return tuple(await sql.fetch_one(SELECT_SENDER, owner.id))


@pytest.fixture
async def branded(reseller):
    """A reseller's customer from before it had a brand."""
    customer = await reseller.customer()
    assert (await reseller.send("PUT", "/reseller/brand", BRAND)).document == BRAND
    return customer


async def test_pages_and_messages_of_customers_carry_it(app, reseller, branded):
    stranger = await create_test_owner()
    later = await reseller.customer()

    assert [await read_mark(app, each) for each in (branded, later)] == ["Norte &lt;Digital&gt;"] * 2
    assert [await read_mark(app, each) for each in (stranger, reseller.owner)] == ["Comanda"] * 2
    assert await read_sender(branded) == (BRAND["name"], BRAND["email"])
    assert await read_sender(stranger) == (None, None)


async def test_removed_brand_is_the_installations(app, reseller, branded):
    await reseller.send("PUT", "/reseller/brand", {})

    assert await reseller.get("/brand") == {"name": None, "email": None}
    assert await read_mark(app, branded) == "Comanda"
    assert await read_sender(branded) == (None, None)


async def test_invitations_carry_it(client, reseller, branded, sent_messages):
    made = await reseller.post("/customers", {"email": f"rosa-{branded.id}@tasca.example", "name": "Tasca da Rosa"})

    message = (await sent_messages())[-1]
    assert message.to == made["email"]
    assert BRAND["name"] in message.text
    assert tuple(await sql.fetch_one(SELECT_SENDER, reseller.owner.id)) == (BRAND["name"], BRAND["email"])
    page = await client.get(re.search(r"/reseller/invitations/\S+", message.text)[0])
    assert 'dir="auto">Norte &lt;Digital&gt;<' in await page.get_data(as_text=True)


async def test_settings_are_saved_on_a_page(reseller, dashboard):
    await dashboard.post("/reseller/settings/brand", {"name": "Norte", "email": "help@norte.example"})
    await dashboard.post("/reseller/settings/invoices", {"legal_name": "Norte Lda", "tax_rate": "23", "due_days": "10"})
    wrong = await dashboard.post("/reseller/settings/brand", {"name": "Norte", "email": "nobody"}, status=422)

    page = await dashboard.get("/reseller/settings")
    assert 'aria-invalid="true"' in wrong
    assert all(f'value="{value}"' in page for value in ("Norte", "help@norte.example", "Norte Lda", "23", "10"))
    assert await reseller.get("/brand") == {"name": "Norte", "email": "help@norte.example"}
