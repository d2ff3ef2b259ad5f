"""When items can be ordered, as several capabilities say and as one that fails does not."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from comanda.contracts import ItemCapability, Orderability
from comanda.menu import find_orderability
from pydantic import BaseModel

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
LATER, LAST = NOW + timedelta(hours=1), NOW + timedelta(hours=2)
ZONE = ZoneInfo("UTC")


class Petals(BaseModel):
    petals: int = 0


def limit(*answers):
    """Return capabilities of which each gives one of these answers."""
    return [
        ItemCapability(f"petals {number}", "Petals", Petals, orderable_at=lambda *_, answer=answer: answer)
        for number, answer in enumerate(answers)
    ]


@pytest.mark.parametrize(
    ("answers", "all_together"),
    [
        ([Orderability(True), Orderability(True, LAST), Orderability(True, LATER)], Orderability(True, LATER)),
        ([Orderability(True, LATER), Orderability(False, LAST)], Orderability(False, LAST)),
        ([Orderability(False, LATER), Orderability(False, LAST)], Orderability(False, LAST)),
        ([Orderability(False, LATER), Orderability(False)], Orderability(False)),
        ([Orderability(True), Orderability(True)], Orderability(True)),
        ([], Orderability(True)),
    ],
)
async def test_an_item_can_be_ordered_while_all_capabilities_allow_it(runtime, answers, all_together):
    assert find_orderability(limit(*answers), {"petals": 5}, ZONE, NOW) == all_together


def test_capabilities_without_values_are_not_asked():
    assert find_orderability(limit(Orderability(False)), {"thorns": 5}, ZONE, NOW) == Orderability(True)


@pytest.mark.parametrize(
    "answer", [None, NOW, Orderability(False, NOW), Orderability(True, LATER.replace(tzinfo=None))]
)
async def test_a_capability_that_answers_nonsense_is_asked_once(runtime, answer):
    limits = limit(answer, Orderability(True, LATER))

    found = find_orderability(limits, {"petals": 5}, ZONE, NOW)

    assert found == Orderability(True, LATER)
    assert [each.code for each in limits] == ["petals 1"]
