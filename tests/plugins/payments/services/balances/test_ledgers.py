"""A balance is the sum of its entries and never negative."""

from comanda.platform.db import sql
from comanda_payments.models import LedgerEntryKind
from comanda_payments.services.balances import ledgers
from comanda_payments.services.balances.ledgers import GIFT_CARD_LEDGER
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

FEW_EXAMPLES = settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(moves=st.lists(st.integers(min_value=-3000, max_value=3000), max_size=12))
@FEW_EXAMPLES
async def test_balance_is_sum_of_entries(owner, card, moves):
    expected = await sql.fetch_value("SELECT balance_minor FROM payments_gift_card WHERE id = $1", card["id"])
    for amount in moves:
        is_recorded = await ledgers.record_entry(
            GIFT_CARD_LEDGER, owner.id, card["id"], amount, LedgerEntryKind.ADJUST, "test:1", note="x"
        )
        assert is_recorded == (expected + amount >= 0)
        expected += amount if is_recorded else 0

    row = await sql.fetch_one(
        """SELECT balance_minor, (SELECT sum(amount_minor)::bigint FROM payments_gift_card_entry e
               WHERE e.card_id = c.id AND e.owner_id = c.owner_id) AS total,
             (SELECT e.balance_minor FROM payments_gift_card_entry e
               WHERE e.card_id = c.id AND e.owner_id = c.owner_id ORDER BY id DESC LIMIT 1) AS last
           FROM payments_gift_card c WHERE id = $1""",
        card["id"],
    )
    assert (row["balance_minor"], row["total"], row["last"]) == (expected, expected, expected)
