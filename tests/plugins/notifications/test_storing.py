"""Storing messages: with their cause, once, checked, and not without end."""

import asyncio

import pytest
from comanda.contracts.messaging import OutgoingMessage
from comanda.db import sql
from comanda.errors import RateLimited, ValidationFailed
from comanda_notifications import api, settings
from comanda_notifications.checking import checked, masked


async def test_a_message_waits_for_its_sender(send, row, clock, store_id, owner):
    id = await send(store_id=store_id, purpose="orders.ready")

    stored = await row(id)
    assert (stored["owner_id"], stored["store_id"], stored["purpose"]) == (owner.id, store_id, "orders.ready")
    assert (stored["status"], stored["attempts"], stored["next_attempt_at"]) == ("pending", 0, clock())
    assert (stored["channel"], stored["address"], stored["text"]) == ("sms", "+351911111111", "Your table is ready.")


async def test_a_message_goes_with_the_transaction_that_causes_it(send, count):
    async def fail():
        async with sql.transaction():
            await send()
            raise LookupError

    with pytest.raises(LookupError):
        await fail()

    assert await count() == 0


async def test_one_cause_writes_one_message_for_each_owner(send, count, other_owner):
    first = await send(once="event:1")
    again = await send(once="event:1", to="+351922222222")
    theirs = await api.send(
        OutgoingMessage("sms", "+351911111111", "x"), owner_id=other_owner.id, purpose="t", once="event:1"
    )

    assert again == first
    assert theirs != first
    assert await count() == 1


async def test_one_cause_told_twice_at_once_writes_one_message(send, count):
    assert len(set(await asyncio.gather(*(send(once="event:2") for _ in range(8))))) == 1
    assert await count() == 1


async def test_a_store_of_another_owner_takes_no_message(send, count, other_owner):
    foreign = await other_owner.store()

    with pytest.raises(Exception, match="foreign key"):
        await send(store_id=foreign)

    assert await count() == 0


async def test_an_address_gets_no_more_than_its_share_of_an_hour(send, count, clock, monkeypatch):
    monkeypatch.setattr(settings.current(), "max_per_address_per_hour", 2)
    await send(once="a")
    await send()

    with pytest.raises(RateLimited):
        await send()
    assert await send(once="a")
    await send(to="+351922222222")
    assert await count() == 3
    clock.advance(minutes=61)
    await send()


async def test_an_owner_sends_no_more_than_its_share_of_an_hour(send, count, monkeypatch, other_owner):
    monkeypatch.setattr(settings.current(), "max_per_owner_per_hour", 2)
    await send(to="+351911111111")
    await send("email", "ana@example.com")

    with pytest.raises(RateLimited):
        await send(to="+351933333333")
    assert await count() == 2
    assert await api.send(OutgoingMessage("sms", "+351911111111", "x"), owner_id=other_owner.id, purpose="test")


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (OutgoingMessage("sms", "ana@example.com", "x"), "to"),
        (OutgoingMessage("sms", "+35191111111\u0661", "x"), "to"),
        (OutgoingMessage("sms", "", "x"), "to"),
        (OutgoingMessage("sms", "1" * 16, "x"), "to"),
        (OutgoingMessage("email", "ana", "x"), "to"),
        (OutgoingMessage("email", "ana@example.com\r\nBcc: all@example.com", "x"), "to"),
        (OutgoingMessage("email", "ana@example.com, bea@example.com", "x"), "to"),
        (OutgoingMessage("email", f"{'a' * 250}@example.com", "x"), "to"),
        (OutgoingMessage("push", "a\nb", "x"), "to"),
        (OutgoingMessage("push", "a" * 4097, "x"), "to"),
        (OutgoingMessage("push", "\ud800", "x"), "to"),
        (OutgoingMessage("sms", "+351911111111", " \0 "), "text"),
        (OutgoingMessage("sms", "+351911111111", "x" * 1601), "text"),
        (OutgoingMessage("email", "ana@example.com", "x", "s" * 201), "subject"),
        (OutgoingMessage("email", "ana@example.com", "x", None, "h" * 200_001), "html"),
        (OutgoingMessage("pigeon", "roof", "x"), "channel"),
    ],
)
async def test_what_cannot_be_sent_is_not_stored(message, field, owner, count):
    with pytest.raises(ValidationFailed) as refused:
        await api.send(message, owner_id=owner.id, purpose="test")

    assert list(refused.value.errors) == [field]
    assert await count() == 0


@pytest.mark.parametrize("options", [{"purpose": ""}, {"purpose": "p" * 101}, {"once": ""}, {"once": "o" * 201}])
async def test_names_have_lengths(send, count, options):
    with pytest.raises(ValidationFailed):
        await send(**options)
    assert await count() == 0


def test_a_message_is_stored_clean():
    made = checked(OutgoingMessage("sms", " +351 (911) 111-111 ", "Hello\r\nAna\0 \ud800!\n"))
    mail = checked(OutgoingMessage("email", " ana@example.com ", "x", "One\r\nBcc: two"))

    assert (made.to, made.text) == ("+351911111111", "Hello\nAna !")
    assert (mail.to, mail.subject) == ("ana@example.com", "One Bcc: two")


@pytest.mark.parametrize(
    ("channel", "address", "shown"),
    [
        ("email", "ana@example.com", "a…@example.com"),
        ("sms", "+351911111234", "…234"),
        ("sms", "11234", "…"),
        ("push", "f7a8b9c0d1", "…0d1"),
    ],
)
def test_a_log_holds_as_much_of_an_address_as_recognises_it(channel, address, shown):
    assert masked(channel, address) == shown


async def test_the_longest_push_token_is_stored_and_counted(send, row):
    token = "".join(f"{number:04x}" for number in range(1024))

    assert (await row(await send("push", token)))["address"] == token
