"""Sums of figures."""

from comanda_closings.services.figures import Sums


def test_sums_add_up_and_leave_out_nothing():
    sums = Sums()
    sums.add("tax", "70000", 1, 100, 7)
    sums.add("tax", "70000", 1, 50, 3)
    sums.add("tender", "cash", 1, 157)
    other = Sums()
    other.add("tender", "cash", 1, 157)

    sums.add_all(other, -1)

    assert sums.by_key == {("tax", "70000"): (2, 150, 10)}


def test_stored_sums_are_read_again():
    sums = Sums()
    sums.add("hour", "07", 2, -300)
    sums.add("figure", "gross_sales", 1, 5, 1)

    assert sums.to_json() == [["figure", "gross_sales", 1, 5, 1], ["hour", "07", 2, -300, 0]]
    assert Sums.from_json(sums.to_json()) == sums
