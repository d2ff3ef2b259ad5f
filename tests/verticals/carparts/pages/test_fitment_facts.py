"""Which vehicles a part fits, in a few words."""

import pytest
from comanda_carparts.pages.fitment_facts import format_fitment, list_facts

from ..conftest import GOLF, PANDA, POLO, SAAB


@pytest.mark.parametrize(
    ("fitment", "text"),
    [(GOLF, "Volkswagen Golf 2012-2019"), (POLO, "Volkswagen Polo 2017-"), (SAAB, "Saab 900 1978")],
)
def test_years_of_a_fitment(fitment, text):
    assert format_fitment(fitment) == text


def test_item_without_fitments_says_nothing():
    assert list_facts({}) == list_facts({"fitments": None}) == list_facts({"fitments": []}) == []


def test_only_the_first_vehicles_are_named():
    assert list_facts({"fitments": [GOLF, POLO, PANDA]})[-1] == "Fits Fiat Panda 2003-2012"
    assert list_facts({"fitments": [GOLF, POLO, PANDA, SAAB, SAAB]})[-1] == "and 2 more"
