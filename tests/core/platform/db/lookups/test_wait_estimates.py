"""How long new work would wait for shared statements follows how many wait and how fast they are answered."""

import asyncio

import pytest
from comanda.platform.db.lookups import wait_estimates
from comanda.platform.db.lookups.wait_estimates import MIN_WAITING, WaitEstimate, get_shared_wait_seconds


class Clock:
    def __init__(self):
        self.now = 1000.0

    def monotonic(self):
        return self.now


@pytest.fixture
def time(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(wait_estimates, "time", clock)
    return clock


async def start(estimate, count):
    answers = [asyncio.get_running_loop().create_future() for _ in range(count)]
    tasks = [asyncio.create_task(estimate.wait_for(answer)) for answer in answers]
    await asyncio.sleep(0)
    return answers, tasks


async def test_few_that_wait_are_no_queue(time):
    estimate = WaitEstimate()
    answers, tasks = await start(estimate, MIN_WAITING)
    time.now += 100

    assert estimate.expected_wait_seconds == 0
    for answer in answers:
        answer.set_result("answer")
    assert await asyncio.gather(*tasks) == ["answer"] * MIN_WAITING


async def test_expected_wait_follows_the_pace(time):
    estimate = WaitEstimate()
    before = get_shared_wait_seconds()
    answers, tasks = await start(estimate, 3000)
    for batch in range(100):
        time.now += 0.2
        for answer in answers[batch * 20 : batch * 20 + 20]:
            answer.set_result(None)
        await asyncio.sleep(0)

    # 1000 wait, and 20 are answered in 0.2 seconds.
    assert estimate.expected_wait_seconds == pytest.approx(10, rel=0.2)
    assert get_shared_wait_seconds() - before == pytest.approx(estimate.expected_wait_seconds)
    for answer in answers[2000:]:
        answer.set_result(None)
    await asyncio.gather(*tasks)
    assert estimate.expected_wait_seconds == 0


async def test_stall_counts_while_it_lasts(time):
    estimate = WaitEstimate()
    _, tasks = await start(estimate, MIN_WAITING + 1)
    time.now += 5

    stalled = estimate.expected_wait_seconds
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)

    assert stalled == 5
    assert estimate.expected_wait_seconds == 0
