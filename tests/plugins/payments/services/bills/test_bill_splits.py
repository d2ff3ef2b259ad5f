"""Bills are split without losing or adding a cent."""

import pytest
from comanda_payments.services.bills import bill_splits
from hypothesis import given
from hypothesis import strategies as st

minors = st.integers(min_value=0, max_value=10**9)


# The id of no line; that of the first may be the order's own.
NOBODYS = 987_654_321_000


@pytest.mark.parametrize(
    ("by", "fields", "amounts"),
    [
        ("evenly", {"n": 3}, [6.67, 6.67, 6.66]),
        ("amount", {"amounts": [5, 2.5]}, [5, 2.5, 12.5]),
        ("amount", {"amounts": [20]}, [20]),
    ],
)
async def test_bill_is_split_to_the_cent(till, by, fields, amounts):
    reply = await till.split(by, **fields)

    assert reply.status == 200
    assert [part["amount"] for part in reply["parts"]] == amounts
    assert reply["left"] == 20
    assert await till.payments() == []


async def test_split_by_line_distributes_fees(store, till_of):
    soup, steak = await store.item("Soup", price=5), await store.item("Steak", price=15)
    order = await store.order({"item_id": soup["id"]}, {"item_id": steak["id"]}, tip_amount=2)
    till, (first, second) = till_of(order), [line["id"] for line in order["items"]]

    reply = await till.split("lines", lines=[[first]])

    assert reply["parts"] == [{"amount": 5.5, "line_ids": [first]}, {"amount": 16.5, "line_ids": [second]}]
    assert (await till.split("lines", lines=[[first], [first]])).errors["lines"] == [
        "A line can only be assigned to one guest."
    ]


INVALID_SPLITS = [
    ("evenly", {}, "n"),
    ("amount", {}, "amounts"),
    ("amount", {"amounts": [21]}, "amounts"),
    ("lines", {}, "lines"),
    ("lines", {"lines": [[NOBODYS]]}, "lines"),
    ("evenly", {"n": 0}, "n"),
]


async def test_invalid_split_is_refused(till, subtests):
    for by, fields, field in INVALID_SPLITS:
        with subtests.test(by=by, fields=fields, field=field):
            assert list((await till.split(by, **fields)).errors) == [field]


@given(left=minors, n=st.integers(min_value=1, max_value=100))
def test_equal_parts_add_up(left, n):
    parts = bill_splits.split_evenly(left, n)

    assert (len(parts), sum(parts)) == (n, left)
    assert parts == sorted(parts, reverse=True)
    assert parts[0] - parts[-1] <= 1


def test_remaining_cents_go_to_the_first_guests():
    assert bill_splits.split_evenly(6836, 3) == [2279, 2279, 2278]
    assert bill_splits.split_by_weight(6836, 6836, [1, 1, 1]) == [2279, 2279, 2278]


@given(total=minors, paid=minors, weights=st.lists(minors, min_size=1, max_size=20))
def test_weighted_parts_add_up_to_amount_due(total, paid, weights):
    left = max(0, total - paid)

    parts = bill_splits.split_by_weight(total, left, weights)

    assert (len(parts), sum(parts), min(parts) >= 0) == (len(weights), left, True)
