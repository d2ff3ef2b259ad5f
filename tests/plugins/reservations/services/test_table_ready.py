"""The message that a table is ready."""

import pytest
from comanda.basics import RateLimited

PHONE = "+351912345678"


async def test_message_has_the_store_and_a_link_and_no_name(waitlist):
    party = await waitlist.add("Zenobia", phone="+351 912 345 678")

    await waitlist.act(party, "call")

    [(address, text)] = await waitlist.list_messages()
    assert address == PHONE
    assert f"/reservations/waitlist/{party['id']}?" in text
    assert "Zenobia" not in text


@pytest.mark.parametrize("phone", [None, "", "call me", "12"])
async def test_party_without_a_usable_number_is_called_without_message(waitlist, phone):
    party = await waitlist.add(phone=phone)

    called = await waitlist.act(party, "call")

    assert (called.status, called["status"], called["messaged_at"]) == (200, "called", None)
    assert await waitlist.list_messages() == []


async def test_party_beyond_the_limits_of_messages_is_called_all_the_same(waitlist, monkeypatch):
    async def refuse(*_values, **_options):
        raise RateLimited(60)

    monkeypatch.setattr("comanda_notifications.api.send_template", refuse)
    party = await waitlist.add(phone=PHONE)

    called = await waitlist.act(party, "call")

    assert (called.status, called["calls"], called["messaged_at"]) == (200, 1, None)
