"""The index of the search of guests: which guests may match a text, by the grams of their names, e-mails and phones.

A trigger of ``customers_guest`` keeps the grams. A guest matches a text only if it has all grams of it, and few have;
those few are then compared.
"""

from typing import Final

from comanda.basics import split_grams
from comanda.platform.db import sql

NAME_GRAM_LENGTH: Final = 3
PHONE_GRAM_LENGTH: Final = 4
# Beyond this it is faster to compare all guests than to read so many by their ids.
MAX_CANDIDATES: Final = 5000
SELECT_CANDIDATES: Final = f"""
    SELECT guest_id AS id FROM customers_guest_search
    WHERE owner_id = $1 AND (grams @> $2::text[] OR grams @> $3::text[]) LIMIT {MAX_CANDIDATES + 1}
"""


async def find_candidates(owner_id: int, store_id: int, text: str, digits: str) -> list[int] | None:
    """Return ids of the store's guests, with all whose name or e-mail has ``text`` or whose phone has ``digits``.

    None if one of them is too short for the index, or if so many may match that comparing all is faster.
    """
    if len(text) < NAME_GRAM_LENGTH or 0 < len(digits) < PHONE_GRAM_LENGTH:
        return None
    by_text = [f"{store_id}n{gram}" for gram in split_grams(text, NAME_GRAM_LENGTH)]
    by_phone = [f"{store_id}p{gram}" for gram in split_grams(digits, PHONE_GRAM_LENGTH)] if digits else by_text
    rows = await sql.fetch(SELECT_CANDIDATES, owner_id, by_text, by_phone)
    return [row["id"] for row in rows] if len(rows) <= MAX_CANDIDATES else None
