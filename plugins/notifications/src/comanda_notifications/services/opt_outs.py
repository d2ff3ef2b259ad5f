"""Numbers that no longer want an owner's SMS: guests answer STOP to leave, and START to come back.

What is stored is a keyed hash of the number: it tells a number that is known from others, and does not give it back. So
it outlives the erasure of a person, who would otherwise get SMS again.
"""

import unicodedata
from collections.abc import Collection
from typing import Final

from comanda.basics import clock, to_digits
from comanda.platform.db import sql
from comanda.platform.encryption import hmac_digest

# The words of carriers, and those of the languages of Comanda; without accents, as many telephones write them.
STOP_WORDS: Final = frozenset(
    {
        *("stop", "stopall", "unsubscribe", "cancel", "end", "quit", "revoke", "optout"),
        *("stopp", "abmelden", "abbestellen"),
        *("baja", "alto", "parar", "sair", "cancelar", "remover"),
        *("arret", "arreter", "desabonner"),
        *("توقف", "ايقاف", "الغاء"),
    }
)
START_WORDS: Final = frozenset(
    {"start", "unstop", "yes", "anmelden", "alta", "iniciar", "voltar", "reprendre", "ابدا", "بدء"}
)
MAX_WORD_LENGTH: Final = 40

INSERT_REPLY: Final = """
    INSERT INTO notifications_sms_reply (owner_id, phone_hash, reply_id, is_stop, received_at)
    SELECT owner_id, $2, $3, $4, $5 FROM unnest($1::bigint[]) AS given (owner_id)
    ON CONFLICT (owner_id, reply_id) DO NOTHING
"""
# The last word counts.
SELECT_LATEST: Final = """
    SELECT is_stop FROM notifications_sms_reply WHERE owner_id = $1 AND phone_hash = $2 ORDER BY id DESC LIMIT 1
"""


def parse_word(text: str) -> bool | None:
    """Return True for a word that stops SMS, False for one that starts them again, and None for any other text."""
    if len(text) > MAX_WORD_LENGTH:
        return None
    letters = (each for each in unicodedata.normalize("NFKD", text.casefold()) if unicodedata.category(each)[0] == "L")
    word = "".join(letters)
    return True if word in STOP_WORDS else False if word in START_WORDS else None


async def record_reply(owner_ids: Collection[int], phone: str, text: str, reply_id: str) -> bool:
    """Record what a number answered to owners, if it is a word that stops or starts SMS; return whether it is.

    A reply that was recorded before changes nothing, even if the number has answered otherwise since.
    """
    is_stop = parse_word(text)
    if is_stop is None:
        return False
    values = (await _hash_phone(phone), reply_id, is_stop, clock.now())
    await sql.execute(INSERT_REPLY, list(owner_ids), *values)
    return True


async def is_opted_out(owner_id: int, phone: str) -> bool:
    """Return whether a number wants no SMS of an owner."""
    return bool(await sql.fetch_value(SELECT_LATEST, owner_id, await _hash_phone(phone)))


async def _hash_phone(phone: str) -> bytes:
    # Some services leave out the plus.
    return await hmac_digest.hmac_digest("notifications.opt_out", to_digits(phone))
