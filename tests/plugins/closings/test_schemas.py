"""Queries and bodies of day reports."""

import pytest
from comanda_closings.schemas import ClosingBody, DayReportQuery
from pydantic import ValidationError


def test_further_stores_are_ids_separated_by_commas():
    assert DayReportQuery(also="12,7").further_store_ids == [12, 7]
    assert DayReportQuery().further_store_ids == []


@pytest.mark.parametrize("text", ["12,", "a", "1;2", "-1"])
def test_other_texts_are_no_ids(text):
    with pytest.raises(ValidationError):
        DayReportQuery(also=text)


def test_day_is_a_date_of_our_time():
    with pytest.raises(ValidationError):
        ClosingBody(day="0001-01-01")
