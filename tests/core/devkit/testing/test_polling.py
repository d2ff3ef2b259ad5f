import pytest
from comanda.devkit.testing.polling import await_condition, wait_for


def raise_or_return(outcomes):
    outcome = next(outcomes)
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def test_wait_returns_the_first_true_result():
    outcomes = iter([0, None, AssertionError(), ConnectionRefusedError(), "ready", "late"])

    assert wait_for(lambda: raise_or_return(outcomes), "an outcome") == "ready"
    assert list(outcomes) == ["late"]


async def test_async_wait_returns_the_first_true_result():
    outcomes = iter([[], AssertionError(), TimeoutError(), [1], [2]])

    async def condition():
        return raise_or_return(outcomes)

    assert await await_condition(condition, "an outcome") == [1]
    assert list(outcomes) == [[2]]


def test_failed_wait_says_what_it_saw_last():
    with pytest.raises(AssertionError) as failed:
        wait_for(list, "the third order", show=lambda: "Output: none", seconds=0)

    assert str(failed.value) == "Waited 0 s for the third order, and last saw [].\nOutput: none"


async def test_failed_async_wait_is_caused_by_the_last_error():
    async def condition():
        raise ConnectionRefusedError("nobody listens")

    with pytest.raises(AssertionError, match="for the server, and last saw ConnectionRefusedError") as failed:
        await await_condition(condition, "the server", seconds=0)

    assert isinstance(failed.value.__cause__, ConnectionRefusedError)


def test_other_errors_of_a_condition_are_raised_at_once():
    with pytest.raises(KeyError):
        wait_for(lambda: {}["order"], "an order")
