"""The monthly limit and the quiet hours of an owner's SMS."""

import asyncio
from datetime import UTC, datetime

from comanda_notifications import api, settings


async def test_limit_holds_for_texts_at_the_same_moment(set_limits, send, list_messages):
    await set_limits(monthly_limit=3)

    await asyncio.gather(*(send(to=f"+35191111111{number}") for number in range(8)))

    statuses = [status for channel, _, status in await list_messages() if channel == "sms"]
    assert sorted(statuses) == ["over_limit"] * 5 + ["pending"] * 3


async def test_next_month_begins_with_none(set_limits, send, list_messages, clock, read_limits):
    await set_limits(monthly_limit=1)
    await send(to="+351911111111")
    clock.advance(days=32)

    await send(to="+351911111112")

    assert [status for channel, _, status in await list_messages() if channel == "sms"] == ["pending", "pending"]
    assert (await read_limits())["sent"] == 1


async def test_installation_limits_what_an_owner_sends(set_limits, send, list_messages, monkeypatch, read_limits):
    monkeypatch.setattr(settings.get_settings(), "max_sms_per_month", 1)
    await set_limits(monthly_limit=100)

    await send(to="+351911111111")
    await send(to="+351911111112")

    assert [status for channel, _, status in await list_messages() if channel == "sms"] == ["pending", "over_limit"]
    assert (await read_limits())["limit"] == 1


async def test_what_can_wait_is_sent_after_quiet_hours(set_limits, store, send, clock, read_message):
    await store.send("PUT", "/settings", {"timezone": "Europe/Berlin"})
    await set_limits(quiet_from="22:00", quiet_until="08:00")
    clock.set(datetime(2027, 1, 11, 22, 30, tzinfo=UTC))

    later = await read_message(await send(store_id=store.id))
    prompt = await read_message(await send(to="+351911111112", store_id=store.id, urgency=api.Urgency.PROMPT))
    code = await read_message(await send(to="+351911111113", store_id=store.id, urgency=api.Urgency.CODE))

    assert later["next_attempt_at"] == datetime(2027, 1, 12, 7, 0, tzinfo=UTC)
    assert prompt["next_attempt_at"] == code["next_attempt_at"] == datetime(2027, 1, 11, 22, 30, tzinfo=UTC)
