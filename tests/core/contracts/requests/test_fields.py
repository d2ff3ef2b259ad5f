"""Types of fields that clients send."""

import pytest
from comanda.contracts.requests.fields import Body, Email, Name
from pydantic import ValidationError


class Guest(Body):
    """A body with a name."""

    name: Name = "Ana"
    email: Email = ""


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


@pytest.mark.parametrize("sent", ["ana@example.com", " ana@example.com ", ""])
def test_email_may_be_empty(sent):
    assert Guest(email=sent).email == sent.strip()


@pytest.mark.parametrize("sent", ["ana", "@example.com", "ana@", "ana@b@example.com", "ana @example.com"])
def test_email_has_a_name_and_a_host(sent):
    with pytest.raises(ValidationError, match="must be an e-mail address"):
        Guest(email=sent)
