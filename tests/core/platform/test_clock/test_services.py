"""The test clock: advancing, refusals, and what follows it."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from comanda.accounts import codes
from comanda.accounts.codes import CodeRecipient
from comanda.basics import clock
from comanda.basics.errors import NotFound, ValidationFailed
from comanda.basics.startup_errors import InvalidSettings
from comanda.contracts.background.tasks import Task
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.settings import Settings, read_settings
from comanda.platform.tasks.turns import claim_turns
from comanda.platform.test_clock import services
from comanda.platform.test_clock.services import follow_test_clock, parse_duration


def is_near(moment, offset):
    return abs(moment - datetime.now(UTC) - offset) < timedelta(seconds=5)


async def get_stored():
    return await sql.fetch_value("SELECT offset_seconds FROM core_clock")


@pytest.fixture
async def enabled(app, monkeypatch):
    """The settings with the test clock on; afterwards the time is real again."""
    made = runtime.current()
    settings = made.settings.model_copy(update={"test_clock": True})
    monkeypatch.setattr(runtime._process, "runtime", replace(made, settings=settings))
    yield settings
    clock.set_offset(clock.NO_OFFSET)
    await sql.execute("DELETE FROM core_clock")


async def test_advance_moves_the_time(enabled):
    state = await services.advance("40d")
    later = await services.advance(timedelta(minutes=2))

    assert state.offset_seconds == 40 * 86_400
    assert (later.offset_seconds, await get_stored()) == (40 * 86_400 + 120, 40 * 86_400 + 120)
    assert is_near(clock.now(), timedelta(days=40, minutes=2))
    assert is_near(later.now, timedelta(days=40, minutes=2))


async def test_simultaneous_advances_add_up(enabled):
    await asyncio.gather(*(services.advance("1d") for _ in range(10)))

    assert await get_stored() == 10 * 86_400
    assert is_near(clock.now(), timedelta(days=10))


@pytest.mark.parametrize(
    "by", ["0s", "", "40", "-1d", "1y", "40 d", "36501d", "9999999w", "99999999d", timedelta(days=-1)]
)
async def test_invalid_advance_is_refused(enabled, by):
    with pytest.raises(ValidationFailed) as refused:
        await services.advance(by)

    assert list(refused.value.errors) == ["by"]
    assert (await get_stored(), clock.get_offset()) == (None, clock.NO_OFFSET)


async def test_advances_stop_after_a_hundred_years(enabled):
    await services.advance("36500d")

    with pytest.raises(ValidationFailed):
        await services.advance("1s")

    assert await get_stored() == 36_500 * 86_400


async def test_advance_is_refused_while_off(app):
    with pytest.raises(NotFound):
        await services.advance("40d")

    assert (await get_stored(), clock.get_offset()) == (None, clock.NO_OFFSET)


def test_setting_needs_development_mode(monkeypatch):
    monkeypatch.setenv("COMANDA_TEST_CLOCK", "1")

    with pytest.raises(InvalidSettings, match="needs COMANDA_DEVELOPMENT=1"):
        read_settings(Settings)

    monkeypatch.setenv("COMANDA_DEVELOPMENT", "1")
    assert read_settings(Settings).test_clock


async def test_process_follows_others(enabled):
    woken = asyncio.Event()
    await sql.execute("INSERT INTO core_clock VALUES (1, 86400)")
    async with follow_test_clock(enabled):
        at_startup = clock.get_offset()
        with clock.watch(woken.set):
            await sql.execute("UPDATE core_clock SET offset_seconds = 172800")
            await asyncio.wait_for(woken.wait(), 120)
        followed = clock.get_offset()
        await sql.execute("UPDATE core_clock SET offset_seconds = 5")
        await asyncio.sleep(3 * services.POLL_SECONDS)

    assert (at_startup, followed) == (timedelta(days=1), timedelta(days=2))
    assert clock.get_offset() == followed


async def test_process_without_the_setting_keeps_real_time(app, settings):
    await sql.execute("INSERT INTO core_clock VALUES (1, 86400)")
    try:
        async with follow_test_clock(settings):
            assert clock.get_offset() == clock.NO_OFFSET
    finally:
        await sql.execute("DELETE FROM core_clock")


async def test_login_code_expires(owner, advance_time):
    recipient = CodeRecipient("test", "+351912345678", "login", owner.id)
    valid = await codes.issue_code(recipient)
    advance_time(minutes=9)
    async with sql.transaction():
        assert (await codes.redeem_code([recipient], valid)).recipient == recipient

    expired = await codes.issue_code(recipient)
    advance_time(minutes=11)
    async with sql.transaction():
        assert (await codes.redeem_code([recipient], expired)).recipient is None


async def test_periodic_tasks_fall_due(app, advance_time):
    async def run():
        pass

    task = Task("test_clock_daily", run, every=timedelta(days=1))
    try:
        assert [await claim_turns([task]), await claim_turns([task])] == [{task.name}, set()]
        advance_time(hours=23)
        assert await claim_turns([task]) == set()
        advance_time(hours=1)
        assert [await claim_turns([task]), await claim_turns([task])] == [{task.name}, set()]
    finally:
        await sql.execute("DELETE FROM core_task_turn WHERE name = $1", task.name)


@pytest.mark.parametrize(
    ("text", "seconds"), [("40d", 3_456_000), ("1w2d", 777_600), ("2h30m", 9000), ("90s", 90), ("0001m", 60)]
)
def test_duration_is_parsed(text, seconds):
    assert parse_duration(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["", "40", "d", "1y", "-1d", "1 d", "1d ", "1.5h", "٤d", "99999999d", "1d" * 6])
def test_other_text_is_refused(text):
    with pytest.raises(ValueError, match="written like 40d"):
        parse_duration(text)
