"""What commands do when they are stopped while they work with the database."""

import asyncio
import os
import signal

import pytest
from comanda.cli import session


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 0), (signal.SIGTERM, 128 + signal.SIGTERM)])
def test_a_signal_cancels_the_work_and_interrupts_no_statement(number, code):
    seen = []

    async def work():
        try:
            os.kill(os.getpid(), number)
            seen.append("statement finished")
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            await asyncio.sleep(0)
            seen.append("rolled back")
            raise

    with pytest.raises(SystemExit) as ended, session.exit_on_signals():
        session.run_work(work)

    assert ended.value.code == code
    assert seen == ["statement finished", "rolled back"]


def test_work_that_swallows_its_cancellation_ends_the_command_nevertheless():
    async def work():
        os.kill(os.getpid(), signal.SIGINT)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return "done"

    with pytest.raises(SystemExit) as ended, session.exit_on_signals():
        session.run_work(work)

    assert ended.value.code == 0


def test_a_signal_between_works_ends_the_command_at_once():
    before = signal.getsignal(signal.SIGTERM)
    with session.exit_on_signals():
        found = session.run_work(lambda: asyncio.sleep(0, "result"))
        with pytest.raises(SystemExit) as ended:
            os.kill(os.getpid(), signal.SIGINT)

    assert found == "result"
    assert ended.value.code == 0
    assert signal.getsignal(signal.SIGTERM) == before
