"""Validation of messages."""

import pytest
from comanda.basics import ValidationFailed
from comanda.contracts import OutgoingMessage
from comanda_notifications import api
from comanda_notifications.services.validation import mask_address, normalize_message

INVALID_MESSAGES = [
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
]


async def test_invalid_message_is_not_stored(owner, count_messages, subtests):
    for message, field in INVALID_MESSAGES:
        with subtests.test(message=message, field=field):
            with pytest.raises(ValidationFailed) as refused:
                await api.send(message, owner_id=owner.id, purpose="test")

            assert list(refused.value.errors) == [field]
            assert await count_messages() == 0


def test_message_is_normalized():
    created = normalize_message(OutgoingMessage("sms", " +351 (911) 111-111 ", "Hello\r\nAna\0 \ud800!\n"))
    mail = normalize_message(OutgoingMessage("email", " ana@example.com ", "x", "One\r\nBcc: two"))

    assert (created.to, created.text) == ("+351911111111", "Hello\nAna !")
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
def test_address_is_masked(channel, address, shown):
    assert mask_address(channel, address) == shown


async def test_longest_push_token_is_accepted(send, read_message):
    token = "".join(f"{number:04x}" for number in range(1024))

    assert (await read_message(await send("push", token)))["address"] == token
