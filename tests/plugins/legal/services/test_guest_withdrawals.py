"""Statements of withdrawal: stored once, acknowledged, matched with an order, and no way to learn of orders."""

import asyncio
import re

import pytest
from comanda.platform.db import sql
from comanda_notifications import settings as notification_settings

MAIN = re.compile("<main.*</main>", re.DOTALL)
HOSTILE = [
    {"name": None}, {"name": ["x"]}, {"name": "\x00"}, {"contract": {"a": 1}}, {"email": "ana@exa\nmple.com"},
    {"email": "a@b,c@d"}, {"items": "x" * 501}, {"contract": "x" * 256}, {"client_uuid": ""},
    {"client_uuid": "x" * 256},
]  # fmt: skip


async def test_a_statement_is_stored_announced_and_acknowledged(guest, published):
    status, _ = await guest.confirm(phone="+351912345678")
    [stored] = await guest.list_stored()
    [mail] = await guest.list_mails()
    [(_, event)] = [each for each in await published() if each[0] == "legal.withdrawal_received"]

    assert status == 201
    assert {
        name: stored[name] for name in ("name", "contract", "email", "items", "phone", "order_id", "handled_at")
    } == {
        "name": "Ana Silva",
        "contract": "Order #7, last week",
        "email": "ana@example.com",
        "items": "The blue <b>jar</b>, twice",
        "phone": "+351912345678",
        "order_id": None,
        "handled_at": None,
    }
    assert stored["acknowledged_at"] == stored["submitted_at"]
    assert mail["address"] == "ana@example.com"
    for words in (
        "Ana Silva",
        "Order #7, last week",
        "The blue <b>jar</b>, twice",
        "+351912345678",
        stored["reference"],
    ):
        assert words in mail["text"]
    assert "(Europe/Lisbon)" in mail["text"]
    assert (event["withdrawal_id"], event["sender"], event["order_id"]) == (stored["id"], "Ana Silva", None)
    assert "ana@example.com" not in str(event)


async def test_the_mail_has_the_language_of_the_page(guest):
    await guest.confirm(headers={"Origin": "http://comanda.test", "Accept-Language": "de"}, items="")

    [mail] = await guest.list_mails()
    assert mail["subject"].startswith("Ihr Widerruf W-")
    assert "Umfang: Der ganze Vertrag" in mail["text"]


async def test_a_form_that_is_sent_again_counts_once(guest, published):
    replies = await asyncio.gather(*(guest.confirm(client_uuid="once") for _ in range(3)))
    again = await guest.confirm(client_uuid="once")

    urls = {reply[1]["url"] for reply in (*replies, again) if reply[0] == 201}
    assert again[0] == 201
    assert len(urls) == 1
    assert {status for status, _ in replies} <= {201, 409}
    assert (len(await guest.list_stored()), len(await guest.list_mails())) == (1, 1)
    assert len([name for name, _ in await published() if name == "legal.withdrawal_received"]) == 1


async def test_answers_do_not_tell_whether_an_order_exists(guest, new_order, clock):
    clock.set(clock())
    order = await new_order(phone="912345678")
    known = await guest.confirm(contract=str(order["number"]), phone="+351912345678")
    wrong = await guest.confirm(contract=str(order["number"]), phone="+351912345679")
    unknown = await guest.confirm(contract="999999", phone="+351912345678")
    pages = [(await guest.read(reply[1]["url"]))[1] for reply in (known, wrong, unknown)]
    rows = await guest.list_stored()

    assert [reply[0] for reply in (known, wrong, unknown)] == [201] * 3
    assert [row["order_id"] for row in reversed(rows)] == [order["id"], None, None]
    stripped = []
    for page, row, number in zip(pages, reversed(rows), (order["number"], order["number"], 999999), strict=True):
        own_words = (row["reference"], f'<dd dir="auto">{number}</dd>', row["phone"])
        assert all(words in page for words in own_words)
        stripped.append(re.sub("|".join(map(re.escape, own_words)), "", MAIN.search(page)[0]))
    assert len(set(stripped)) == 1


async def test_an_order_is_matched_by_the_address_of_its_customer(guest, store, new_order):
    order = await new_order()
    customer_id = await sql.fetch_value(
        """INSERT INTO customers_customer (owner_id, store_id, name, email, created_at)
           VALUES ($1, $2, 'Ana', 'Ana@Example.com', now()) RETURNING id""",
        store.owner.id,
        store.id,
    )
    await sql.execute("UPDATE core_order SET customer_id = $2 WHERE id = $1", order["id"], customer_id)

    await guest.confirm(contract=f"#{order['number']}")
    await guest.confirm(contract=f"#{order['number']}", email="eve@example.com")

    assert [row["order_id"] for row in await guest.list_stored()] == [None, order["id"]]


async def test_an_order_is_matched_by_its_page_unless_another_number_is_stated(guest, new_order):
    order = await new_order()
    path = f"/withdraw/{order['track_token']}/statement"

    await guest.confirm(path, contract=str(order["number"]))
    await guest.confirm(path, contract=str(order["number"] + 1))

    assert [row["order_id"] for row in await guest.list_stored()] == [None, order["id"]]


async def test_an_order_of_another_store_is_not_matched(guest, other_owner, new_order, store):
    order = await new_order(phone="912345678")
    await sql.execute("UPDATE core_order SET number = 4711 WHERE id = $1", order["id"])
    elsewhere = await other_owner.store()
    await sql.execute(
        """INSERT INTO core_store_setting (owner_id, store_id, plugin, values, updated_at)
           VALUES ($1, $2, 'legal', '{"has_withdrawal": true}', now())""",
        other_owner.id,
        elsewhere,
    )
    slug = await sql.fetch_value("SELECT slug FROM core_store WHERE id = $1", elsewhere)

    status, _ = await guest.confirm(f"/s/{slug}/withdrawals", contract="4711", phone="+351912345678")

    assert status == 201
    found = await sql.fetch_value("SELECT order_id FROM legal_withdrawal WHERE owner_id = $1", other_owner.id)
    assert found is None


@pytest.mark.parametrize("fields", HOSTILE, ids=str)
async def test_hostile_bodies_are_refused_and_nothing_is_stored(guest, fields):
    status, _ = await guest.confirm(**fields)
    reviewed, _ = await guest.review(**{name: str(value) for name, value in fields.items()})

    assert status == 422
    assert reviewed in {200, 422}
    assert (await guest.list_stored(), await guest.list_mails()) == ([], [])


async def test_pages_of_other_sites_cannot_send_a_statement(guest):
    replies = [await guest.confirm(headers=headers) for headers in ({}, {"Origin": "https://evil.example"})]

    assert [status for status, _ in replies] == [403, 403]
    assert await guest.list_stored() == []


async def test_a_statement_counts_beyond_the_limits_of_messages(guest, monkeypatch):
    monkeypatch.setattr(notification_settings.get_settings(), "max_per_address_per_hour", 0)

    status, made = await guest.confirm()

    assert status == 201
    [stored] = await guest.list_stored()
    assert stored["acknowledged_at"] is None
    assert "save or print this page" in (await guest.read(made["url"]))[1]
