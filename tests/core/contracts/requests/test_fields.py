"""Types of fields that clients send."""

import pytest
from comanda.contracts.requests.fields import Body, Name


class Guest(Body):
    """A body with a name."""

    name: Name


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("Ana\u202eTXT.exe", "AnaTXT.exe"),
        ("\u2066Ana\u2069 Silva", "Ana Silva"),
        ("Ana\x07", "Ana"),
        ("\u200fليلى", "\u200fليلى"),
    ],
)
def test_controls_of_direction_are_dropped_from_names(sent, kept):
    assert Guest(name=sent).name == kept
