"""The owner's id in front of a secret."""

import pytest
from comanda.basics.owner_prefix import MAX_OWNER_ID, MAX_PREFIX_LENGTH, add_owner_prefix, parse_owner_prefix

SECRET = "s" * 43


@pytest.mark.parametrize("owner_id", [1, 61, 62, 123_456_789, MAX_OWNER_ID])
def test_prefix_names_its_owner(owner_id):
    text = add_owner_prefix(owner_id, SECRET)

    assert text.endswith(SECRET)
    assert len(text) <= len(SECRET) + MAX_PREFIX_LENGTH
    assert parse_owner_prefix(text, len(SECRET)) == owner_id


@pytest.mark.parametrize("prefix", ["", "0", "-", "é", "1 ", "Z" * 11, "1" * 12])
def test_other_text_names_nobody(prefix):
    assert parse_owner_prefix(prefix + SECRET, len(SECRET)) is None
