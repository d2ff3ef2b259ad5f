"""Whatever is entered, spent and given back, a balance is the sum of its entries and never below zero."""

import pytest
from comanda.db import sql
from comanda.errors import ValidationFailed
from comanda_payments.models import LedgerEntryKind
from comanda_payments.services import bill_splits, ledgers, tenders
from comanda_payments.services.ledgers import GIFT_CARD_LEDGER
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

minors = st.integers(min_value=0, max_value=10**9)
QUICKLY = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(moves=st.lists(st.integers(min_value=-3000, max_value=3000), max_size=12))
@QUICKLY
async def test_a_balance_is_the_sum_of_its_entries(owner, card, moves):
    expected = await sql.fetch_value("SELECT balance_minor FROM payments_gift_card WHERE id = $1", card["id"])
    for amount in moves:
        has_moved = await ledgers.record_entry(
            GIFT_CARD_LEDGER, owner.id, card["id"], amount, LedgerEntryKind.ADJUST, "test:1", note="x"
        )
        assert has_moved == (expected + amount >= 0)
        expected += amount if has_moved else 0

    row = await sql.fetch_one(
        """SELECT balance_minor, (SELECT sum(amount_minor)::bigint FROM payments_gift_card_entry e
               WHERE e.card_id = c.id AND e.owner_id = c.owner_id) AS total,
             (SELECT e.balance_minor FROM payments_gift_card_entry e
               WHERE e.card_id = c.id AND e.owner_id = c.owner_id ORDER BY id DESC LIMIT 1) AS last
           FROM payments_gift_card c WHERE id = $1""",
        card["id"],
    )
    assert (row["balance_minor"], row["total"], row["last"]) == (expected, expected, expected)


@given(left=minors, n=st.integers(min_value=1, max_value=100))
def test_even_parts_add_up_and_differ_only_in_what_does_not_divide(left, n):
    parts = bill_splits.split_evenly(left, n)

    assert (len(parts), sum(parts)) == (n, left)
    assert set(parts[1:]) <= {left // n}
    assert 0 <= parts[0] - left // n < n


@given(total=minors, paid=minors, weights=st.lists(minors, min_size=1, max_size=20))
def test_parts_by_weight_add_up_to_what_is_left(total, paid, weights):
    left = max(0, total - paid)

    parts = bill_splits.split_by_weight(total, left, weights)

    assert (len(parts), sum(parts), min(parts) >= 0) == (len(weights), left, True)


@given(left=minors, given=st.none() | minors, step=st.sampled_from([0, 5, 10, 100]))
def test_cash_in_the_drawer_is_what_was_tendered_less_the_change(left, given, step):
    if given == 0 < tenders.create_cash_tender(left, None, 0, step).tendered_minor:
        with pytest.raises(ValidationFailed, match="more than 0"):
            tenders.create_cash_tender(left, given, 0, step)
        return

    tender = tenders.create_cash_tender(left, given, 0, step)

    assert tender.tendered_minor - tender.change_minor == tender.amount_minor + tender.rounding_minor
    assert 0 <= tender.amount_minor <= left
    assert tender.change_minor >= 0
    assert abs(tender.rounding_minor) * 2 <= step
    assert step == 0 or tender.rounding_minor == 0 or (tender.amount_minor + tender.rounding_minor) % step == 0
