"""Guests who answer STOP, and come back with START."""

import pytest
from comanda_notifications import api
from comanda_notifications.services import opt_outs

PHONE = "+351911111111"


@pytest.mark.parametrize("text", ["STOP", " stop. ", "Stopp!", "ARRÊT", "Baja", "parar", "إيقاف", "unsubscribe"])
def test_words_that_stop(text):
    assert opt_outs.parse_word(text) is True


@pytest.mark.parametrize("text", ["Please stop by at 8", "", "🙂", "no", "x" * 3000])
def test_other_answers_change_nothing(text):
    assert opt_outs.parse_word(text) is None


async def test_message_to_a_number_that_answered_stop_ends_as_opted_out(
    owner, send, senders, carrier, read_message, read_attempts
):
    waiting = await send(to=PHONE)
    await api.record_sms_reply(owner.id, PHONE, "STOP", "1")

    await senders["sms"].process_all_due()

    assert (await read_message(waiting))["status"] == "opted_out"
    assert carrier.sent == []
    assert len(await read_attempts(waiting)) == 1


async def test_start_takes_a_number_off_the_list(owner, send, senders, carrier):
    await api.record_sms_reply(owner.id, PHONE, "STOP", "1")
    await api.record_sms_reply(owner.id, PHONE.removeprefix("+"), "START", "2")
    # A copy of the first answer.
    await api.record_sms_reply(owner.id, PHONE, "STOP", "1")

    await send(to=PHONE)
    await senders["sms"].process_all_due()

    assert [message.to for message in carrier.sent] == [PHONE]


async def test_other_owners_are_not_stopped(owner, other_owner, send, senders, carrier):
    await api.record_sms_reply(other_owner.id, PHONE, "STOP", "1")

    await send(to=PHONE)
    await senders["sms"].process_all_due()

    assert len(carrier.sent) == 1
