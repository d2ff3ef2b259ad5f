"""Format of access tokens."""

import re

import pytest
from comanda.accounts import tokens


def test_tokens_have_prefix_random_part_and_checksum():
    made = {tokens.generate_token("own_") for _ in range(200)}

    assert len(made) == 200
    assert all(re.fullmatch(r"own_[0-9A-Za-z]{46}", token) for token in made)
    assert all(tokens.is_well_formed(token, "own_") for token in made)


def test_the_checksum_detects_typing_errors():
    token = tokens.generate_token("own_")
    for place in range(len("own_"), len(token)):
        other = "a" if token[place] != "a" else "b"
        assert not tokens.is_well_formed(token[:place] + other + token[place + 1 :], "own_")


@pytest.mark.parametrize(
    "change", [lambda t: t[:-1], lambda t: t + "a", str.lower, lambda t: "drv_" + t[4:], lambda t: ""]
)
def test_other_formats_are_not_tokens(change):
    assert not tokens.is_well_formed(change("own_ABC" + tokens.generate_token("own_")[7:]), "own_")
