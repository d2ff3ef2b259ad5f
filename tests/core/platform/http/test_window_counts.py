"""Counts of one process: dropped with their window, bounded in number, never lower than what is known."""

import pytest
from comanda.platform.http import window_counts
from comanda.platform.http.window_counts import WindowCounts, settle


@pytest.fixture
def counts(monkeypatch):
    monkeypatch.setattr(window_counts, "MAX_BUCKETS", 3)
    return WindowCounts()


def test_counts_add_up_by_bucket(counts):
    assert [counts.add("a", 1, 1), counts.add("b", 1, 2), counts.add("a", 1, 3)] == [1, 2, 4]


def test_new_window_drops_counts_and_what_was_pending(counts):
    counts.add("a", 1, 5)

    assert counts.add("b", 2, 1) == 1
    assert len(counts) == 1
    assert counts.take_pending()[1].keys() == {"b"}


def test_bucket_idle_for_longest_is_dropped(counts):
    for bucket in ("a", "b", "c", "a", "d"):
        counts.add(bucket, 1, 1)

    assert len(counts) == 3
    assert counts.take_pending()[1].keys() == {"a", "c", "d"}
    assert counts.add("a", 1, 1) == 3


def test_counts_in_flight_are_counted_once(counts):
    counts.add("a", 1, 2)
    window, taken = counts.take_pending()
    during = counts.add("a", 1, 1)
    settle(taken["a"], 7)

    assert (window, during) == (1, 3)
    assert counts.add("a", 1, 1) == 9
    assert counts.take_pending()[1]["a"].in_flight == 2


def test_without_an_answer_own_counts_stand_and_are_not_sent_again(counts):
    counts.add("a", 1, 2)
    settle(counts.take_pending()[1]["a"], None)

    assert not counts.has_pending
    assert counts.add("a", 1, 1) == 3


def test_answers_in_any_order_do_not_lower_a_count(counts):
    assert [counts.record_shared("a", 1, 2), counts.record_shared("a", 1, 1)] == [2, 1]
    assert counts.add("a", 1, 1) == 3
