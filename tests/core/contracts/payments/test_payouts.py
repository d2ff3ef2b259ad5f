"""What providers say of payouts is checked where it is made."""

import pytest
from comanda.contracts import PayoutPart, PayoutPartKind, PayoutReport, PayoutState

PAID = PayoutState.PAID


@pytest.mark.parametrize(
    ("values", "error"),
    [(("", PAID, 1, "EUR"), ValueError), ((None, PAID, 1, "EUR"), ValueError), (("po_1", "paid", 1, "EUR"), TypeError),
     (("po_1", PAID, 1.5, "EUR"), TypeError), (("po_1", PAID, True, "EUR"), TypeError),
     (("po_1", PAID, -(10**13), "EUR"), ValueError), (("po_1", PAID, 1, "eur"), ValueError)],
)  # fmt: skip
def test_payout_that_is_not_one_is_refused(values, error):
    with pytest.raises(error):
        PayoutReport(*values)


@pytest.mark.parametrize(
    ("values", "error"),
    [(("x" * 256, PayoutPartKind.FEE, 1), ValueError), (("a", "fee", 1), TypeError),
     (("a", PayoutPartKind.FEE, "1"), TypeError), (("a", PayoutPartKind.FEE, 1, 10**13), ValueError)],
)  # fmt: skip
def test_part_that_is_not_one_is_refused(values, error):
    with pytest.raises(error):
        PayoutPart(*values)


def test_amounts_may_be_taken_back():
    assert PayoutReport("po_1", PAID, -500, "JPY").amount_minor == -500
    assert PayoutPart("a", PayoutPartKind.REFUND, -500, -10).fee_minor == -10
