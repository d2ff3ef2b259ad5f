"""Format of access tokens."""

import re

import pytest
from comanda.accounts import tokens


def test_a_token_has_a_prefix_forty_characters_and_a_checksum():
    made = {tokens.generate_token("own_") for _ in range(200)}

    assert len(made) == 200
    assert all(re.fullmatch(r"own_[0-9A-Za-z]{46}", token) for token in made)
    assert all(tokens.is_well_formed(token, "own_") for token in made)


def test_a_typing_error_is_found_without_a_database():
    token = tokens.generate_token("own_")
    for place in range(len("own_"), len(token)):
        other = "a" if token[place] != "a" else "b"
        assert not tokens.is_well_formed(token[:place] + other + token[place + 1 :], "own_")


@pytest.mark.parametrize(
    "change", [lambda t: t[:-1], lambda t: t + "a", str.lower, lambda t: "drv_" + t[4:], lambda t: ""]
)
def test_other_forms_are_none_of_ours(change):
    assert not tokens.is_well_formed(change("own_ABC" + tokens.generate_token("own_")[7:]), "own_")
