"""Grams, by which an index finds orders: short sequences of characters of their names, phones and numbers.

An order matches a text only if it has all grams of it, and few have. Grams begin with the id of the store, so that a
search reads nothing of other stores.
"""

import re
from dataclasses import dataclass
from typing import Final

from comanda.basics.text_search import FOLDED, fold, split_grams
from comanda.contracts.requests.numbers import normalize_digits

# Folding costs ten times what reading the row does, and a name in ASCII has no marks to fold.
FOLDED_NAME: Final = f"""(CASE WHEN octet_length(o.customer_name) = length(o.customer_name)
    THEN lower(o.customer_name) ELSE {FOLDED.format("o.customer_name")} END)"""
PHONE: Final = "translate(o.phone, ' ()+./-', '')"

NAME_GRAM_LENGTH: Final = 3
# Shorter sequences of digits are part of most phone numbers.
PHONE_GRAM_LENGTH: Final = 4
# Numbers are searched by one or two digits too, and few names have any.
SHORT_TEXT: Final = re.compile("#?[0-9]{1,2}|#")
# The grams of the order ``o``.
GRAMS: Final = f"""ARRAY(
    SELECT DISTINCT o.store_id || found.gram
    FROM (SELECT {FOLDED_NAME} AS name, {PHONE} AS phone) AS text, LATERAL (
        SELECT 'n' || substr(text.name, place, {NAME_GRAM_LENGTH})
        FROM generate_series(1, length(text.name) - {NAME_GRAM_LENGTH} + 1) AS place
        UNION ALL
        SELECT 'n' || substr(text.name, place, size)
        FROM generate_series(1, {NAME_GRAM_LENGTH} - 1) AS size, generate_series(1, length(text.name)) AS place
        WHERE text.name ~ '[0-9#]' AND substr(text.name, place, size) ~ '^(#?[0-9]+|#)$'
        UNION ALL
        SELECT 'p' || substr(text.phone, place, {PHONE_GRAM_LENGTH})
        FROM generate_series(1, length(text.phone) - {PHONE_GRAM_LENGTH} + 1) AS place
        UNION ALL
        SELECT '#' || o.number) AS found (gram))"""


@dataclass(frozen=True, slots=True)
class SearchText:
    """What a text may be part of: a folded ``name``, the ``digits`` of a phone, or the ``number`` or id of an order."""

    name: str
    digits: str | None
    number: int | None

    def list_grams(self, store_id: int) -> list[list[str]] | None:
        """Return the grams of each part that it may be of: an order that matches has all of one list.

        None if a part is too short to have grams.
        """
        if len(self.name) < NAME_GRAM_LENGTH and not SHORT_TEXT.fullmatch(self.name):
            return None
        found = [[f"{store_id}n{gram}" for gram in split_grams(self.name, NAME_GRAM_LENGTH)]]
        if self.digits is not None:
            found.append([f"{store_id}p{gram}" for gram in split_grams(self.digits, PHONE_GRAM_LENGTH)])
        if self.number is not None:
            found.append([f"{store_id}#{self.number}"])
        return found


def parse_text(text: str, *, with_numbers: bool) -> SearchText:
    """Return what a text may be part of."""
    text = normalize_digits(text)
    number = text.removeprefix("#")
    digits = re.sub("[^0-9]", "", text).lstrip("0") if re.fullmatch(r"[0-9\s()+./-]+", text) else ""
    return SearchText(
        fold(text),
        digits if len(digits) >= PHONE_GRAM_LENGTH else None,
        int(number) if with_numbers and re.fullmatch("[0-9]{1,15}", number) else None,
    )
