"""Pauses of steps that hang, by scope and everywhere."""

import pytest
from comanda.platform import plugin_circuits
from comanda.platform.plugin_circuits import FIRST_PAUSE_SECONDS, MAX_HANGS, get_pause_seconds, list_paused, record_call


@pytest.fixture(autouse=True)
def moment(monkeypatch):
    """Let the monotonic clock stand still until a test moves it."""
    now = [1000.0]
    monkeypatch.setattr(plugin_circuits.time, "monotonic", lambda: now[0])
    plugin_circuits._circuits.clear()
    yield now
    plugin_circuits._circuits.clear()


def hang(scope, times=1, began_at=None):
    for _ in range(times):
        record_call("slow", "step", scope, began_at or plugin_circuits.time.monotonic(), has_hung=True)


def get_pause(scope):
    return get_pause_seconds("slow", "step", scope)


def test_a_scope_is_paused_and_tried_by_one_call(moment):
    hang(1, MAX_HANGS)
    assert (get_pause(1), get_pause(2)) == (FIRST_PAUSE_SECONDS, 0)

    moment[0] += FIRST_PAUSE_SECONDS
    assert (get_pause(1), get_pause(1)) == (0, FIRST_PAUSE_SECONDS)
    hang(1)
    assert get_pause(1) == 2 * FIRST_PAUSE_SECONDS


def test_calls_that_began_before_the_pause_do_not_prolong_it(moment):
    began_at = moment[0]
    moment[0] += 10
    hang(1, 40, began_at)

    assert get_pause(1) == FIRST_PAUSE_SECONDS


def test_several_scopes_pause_everywhere_until_one_call_works(moment):
    for scope in range(1, MAX_HANGS + 1):
        hang(scope, MAX_HANGS)
    assert get_pause(99) == FIRST_PAUSE_SECONDS

    moment[0] += FIRST_PAUSE_SECONDS
    assert get_pause(99) == 0
    hang(99)
    assert get_pause(77) == 2 * FIRST_PAUSE_SECONDS
    record_call("slow", "step", 99, moment[0], has_hung=False)
    assert get_pause(77) == 0
    assert list_paused() == [("slow", "step")]


def test_one_scope_that_hangs_again_and_again_pauses_nobody_else(moment):
    for _ in range(5):
        hang(1, MAX_HANGS)
        moment[0] += 1000

    assert get_pause(2) == 0
