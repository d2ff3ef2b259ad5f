"""The pages on which guests buy a gift card and read its code."""

import re

from comanda.devkit.testing.payment_providers import reconcile
from comanda.platform.db import sql


async def test_purchase_shows_its_code_to_whoever_has_the_link(payer, selling, clock):
    url = (await payer.buy())["url"]
    [purchase] = await payer.list()
    page = await payer.come_back(purchase["id"])
    assert "Go on to payment" in (await payer.read(page))[1]

    await payer.bank.pay(url)
    await reconcile(clock)

    status, text = await payer.read(page)
    assert (status, "Go on to payment" in text) == (200, False)
    assert re.search(r"[A-Z2-9]{4}(-[A-Z2-9]{4}){3}", text)
    path, _, query = page.partition("?")
    for wrong in (path, f"{path}?{query[:-1]}0x", f"{path}9?{query}"):
        assert (await payer.read(wrong))[0] == 404


async def test_deposit_has_no_page_of_a_card(payer, paid_deposit):
    deposit = await paid_deposit()
    link = (await payer.come_back(deposit["id"])).partition("?")[2]

    assert (await payer.read(f"/gift-cards/{deposit['id']}?{link}"))[0] == 404


async def test_page_of_the_store_leads_there_while_it_sells(payer, store):
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id)
    assert (await payer.read(f"/s/{slug}/gift-cards"))[0] == 404
    assert "/gift-cards" not in (await payer.read(f"/s/{slug}"))[1]

    await store.send("PUT", "/settings/payments", {"sells_gift_cards": True})

    assert f'href="/s/{slug}/gift-cards"' in (await payer.read(f"/s/{slug}"))[1]
    assert "From €10.00 to €200.00" in (await payer.read(f"/s/{slug}/gift-cards"))[1]


async def test_suspended_owner_sells_nothing(payer, selling, owner, store):
    await payer.buy()
    [purchase] = await payer.list()
    page = await payer.come_back(purchase["id"])
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", store.id)
    await sql.execute("UPDATE core_owner SET is_suspended = true WHERE id = $1", owner.id)

    for path in (f"/s/{slug}/gift-cards", page, page.replace("/gift-cards/", "/prepayments/").replace("?", "/return?")):
        assert (await payer.read(path))[0] == 404
    assert (await payer.buy()).status == 404
    start = page.replace("/gift-cards/", "/prepayments/").replace("?", "/start?")
    assert (await payer.send(start, {})).status == 404
