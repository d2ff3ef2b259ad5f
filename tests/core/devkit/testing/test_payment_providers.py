"""What the tests of payment providers interrupt."""

import pytest
from comanda.devkit.testing.payment_providers import Interruptions, Killed, UnreliableProvider


class Provider:
    def __init__(self):
        self.done = []

    def get_setup(self):
        return "setup"

    async def start(self, charge):
        self.done.append(charge)
        return charge


async def test_answer_is_lost_once_and_after_the_work():
    interruptions, provider = Interruptions(lost_steps=["start"]), Provider()
    unreliable = UnreliableProvider(provider, interruptions)

    with pytest.raises(ConnectionError):
        await unreliable.start("first")

    assert await unreliable.start("again") == "again"
    assert provider.done == ["first", "again"]
    assert unreliable.get_setup() == "setup"


@pytest.mark.parametrize(("number", "done"), [(1, []), (2, ["charge"]), (3, ["charge"])])
async def test_process_dies_before_or_after_the_work(number, done):
    interruptions, provider = Interruptions(), Provider()
    unreliable = UnreliableProvider(provider, interruptions)

    with interruptions.killing_at(number):
        if number == 3:
            await unreliable.start("charge")
        else:
            with pytest.raises(Killed):
                await unreliable.start("charge")

    assert provider.done == done
    interruptions.step()


def test_dead_process_does_nothing_more():
    interruptions = Interruptions()

    with interruptions.killing_at(2):
        interruptions.step()
        for _ in range(2):
            with pytest.raises(Killed):
                interruptions.step()
