"""Event patterns."""

import pytest
from comanda_webhooks.services.event_patterns import InvalidPatterns, matches, normalize_patterns

KNOWN = frozenset({"order.created", "order.paid", "subscription.paused", "subscription.renewed", "menu.updated"})


def test_patterns_keep_their_order_without_duplicates() -> None:
    patterns = ["order.paid", "subscription.*", "order.paid", "*", "ping", "subscription.*"]

    assert normalize_patterns(patterns, KNOWN) == ("order.paid", "subscription.*", "*", "ping")


def test_every_unknown_pattern_is_named() -> None:
    with pytest.raises(InvalidPatterns) as caught:
        normalize_patterns(["order.creatd", "order.paid", "kitchen.*", "order*", "ORDER.PAID", ".*", ""], KNOWN)

    assert caught.value.messages == (
        "Unknown event order.creatd. Did you mean order.created?",
        "Unknown event kitchen.*.",
        "Unknown event order*. Did you mean order.paid?",
        "Unknown event ORDER.PAID.",
        "Unknown event .*.",
        "Unknown event .",
    )
    assert isinstance(caught.value, ValueError)


def test_empty_list_is_refused() -> None:
    with pytest.raises(InvalidPatterns, match="at least 1 event"):
        normalize_patterns([], KNOWN)


@pytest.mark.parametrize(
    ("patterns", "name", "expected"),
    [
        (("order.created",), "order.created", True),
        (("order.created",), "order.paid", False),
        (("order",), "order.created", False),
        (("*",), "order.created", True),
        (("subscription.*",), "subscription.trial_ending", True),
        (("subscription.*",), "subscription", False),
        (("subscription.*",), "subscriptions.paused", False),
        (("ping",), "order.created", False),
        (("ping", "order.paid"), "order.paid", True),
        ((), "order.created", False),
    ],
)
def test_endpoint_receives_matching_events(patterns: tuple[str, ...], name: str, expected: bool) -> None:
    assert matches(patterns, name) is expected
