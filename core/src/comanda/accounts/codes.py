"""Codes that are sent to people: good for some minutes, some tries and one use, and only the newest.

Nothing here depends on whether anybody is known by the phone or e-mail, so neither answers nor times can tell.

    async with sql.transaction():
        code = await codes.issue(holder)
        ...                                # store the message that carries it

    async with sql.transaction():
        proof = await codes.redeem([holder], code)
        if proof.holder is not None:
            ...                            # let them in
    if proof.holder is None:
        raise proof.refusal()              # after the commit, which keeps the wrong try
"""

import hmac
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from comanda import clock
from comanda.accounts import keyed
from comanda.db import sql
from comanda.errors import RateLimited, ValidationFailed

DAY = timedelta(days=1)
# The owner of what is of no owner yet, such as a driver's phone before it is known whom they drive for.
NOBODY = 0

SENT = """
    SELECT count(*) AS number, min(created_at) AS first, max(created_at) AS last FROM core_login_code
    WHERE owner_id = $1 AND identity_hash = $2 AND created_at > $3
"""
STORE = """
    INSERT INTO core_login_code (owner_id, identity_hash, purpose, code_hash, expires_at, created_at)
    VALUES ($1, $2, $3, $4, $5, $6)
"""
# Locked, for two may try one code at once, and it opens one door.
NEWEST = """
    SELECT id, owner_id, identity_hash, purpose, code_hash, wrong_tries, expires_at, used_at FROM core_login_code
    WHERE (owner_id, identity_hash, purpose)
        IN (SELECT owner_id, identity_hash, purpose
            FROM unnest($1::bigint[], $2::bytea[], $3::text[]) AS h (owner_id, identity_hash, purpose))
    ORDER BY id DESC LIMIT 1 FOR UPDATE
"""
MISS = "UPDATE core_login_code SET wrong_tries = wrong_tries + 1 WHERE id = $1 AND owner_id = $2"
USE = "UPDATE core_login_code SET used_at = $3 WHERE id = $1 AND owner_id = $2"
FORGET = """
    DELETE FROM core_login_code
    WHERE (owner_id, identity_hash, purpose)
        IN (SELECT owner_id, identity_hash, purpose
            FROM unnest($1::bigint[], $2::bytea[], $3::text[]) AS h (owner_id, identity_hash, purpose))
"""
# Codes are counted for a day after they were sent; an hour more, for clocks differ.
PRUNE = "DELETE FROM core_login_code WHERE created_at < $1 AND expires_at < $2"

SENTENCES: Final = {
    "otp_invalid": "This code is wrong, or a newer one was sent.",
    "otp_expired": "This code has expired. Request a new one.",
    "otp_exhausted": "This code was tried too often. Request a new one.",
}


@dataclass(frozen=True, slots=True)
class Rules:
    """What codes are like: how long, how long good, how often tried; how many a day, and at most one per ``pause``.

    The day's codes are those of all purposes together. The defaults are those of logging in.
    """

    digits: int = 6
    lifetime: timedelta = timedelta(minutes=10)
    wrong_tries: int = 5
    a_day: int = 20
    pause: timedelta | None = None


LOGIN_RULES: Final = Rules()


@dataclass(frozen=True, slots=True)
class Holder:
    """Who a code is sent to, and what it is for; a code for one holder says nothing about another.

    ``realm`` is the plugin and what separates people within it, such as ``customers:12`` (a store) or ``drivers``;
    ``identity`` a phone in E.164, an e-mail in small letters, or a thing such as ``order:7``; ``purpose`` a word of at
    most 20 characters; ``owner_id`` None where no owner is known yet.
    """

    realm: str
    identity: str
    purpose: str
    owner_id: int | None


@dataclass(frozen=True, slots=True)
class Redeemed:
    """Whose code it was; or None and the reason, such as ``otp_expired``."""

    holder: Holder | None
    reason: str = ""

    def refusal(self) -> ValidationFailed:
        """Make the error for a code that proves nothing."""
        return ValidationFailed(code=[SENTENCES[self.reason]], extras={"reason": self.reason})


async def issue(holder: Holder, rules: Rules = LOGIN_RULES) -> str:
    """Make a new code, which makes the holder's earlier ones void, and return its digits; the caller sends them.

    In the open transaction, or in one of its own. Raises ``RateLimited`` after ``rules.a_day`` and within
    ``rules.pause``.
    """
    code = f"{secrets.randbelow(10**rules.digits):0{rules.digits}}"
    moment = clock.now()
    owner_id, identity_hash, purpose = await _key_of(holder)
    code_hash = await _hash_of(identity_hash, purpose, code)
    async with sql.transaction():
        await _one_at_a_time(identity_hash)
        await _slow_down(owner_id, identity_hash, rules, moment)
        await sql.execute(STORE, owner_id, identity_hash, purpose, code_hash, moment + rules.lifetime, moment)
    return code


async def redeem(holders: Sequence[Holder], code: str, rules: Rules = LOGIN_RULES) -> Redeemed:
    """Use up the newest code that was sent to any of the holders, in the open transaction.

    A wrong try is counted; so the caller commits, and raises the ``refusal`` afterwards.
    """
    by_key = {await _key_of(holder): holder for holder in holders}
    row = await sql.fetch_one(NEWEST, *_columns(by_key))
    if row is None or row["used_at"] is not None:
        return Redeemed(None, "otp_invalid")
    if row["wrong_tries"] >= rules.wrong_tries:
        return Redeemed(None, "otp_exhausted")
    moment = clock.now()
    if row["expires_at"] <= moment:
        return Redeemed(None, "otp_expired")
    if not hmac.compare_digest(row["code_hash"], await _hash_of(row["identity_hash"], row["purpose"], code)):
        await sql.execute(MISS, row["id"], row["owner_id"])
        return Redeemed(None, "otp_invalid")
    await sql.execute(USE, row["id"], row["owner_id"], moment)
    return Redeemed(by_key[row["owner_id"], row["identity_hash"], row["purpose"]])


async def forget(holders: Sequence[Holder]) -> None:
    """Delete the codes of holders, used or not; none of them counts towards the day's any more."""
    await sql.execute(FORGET, *_columns([await _key_of(holder) for holder in holders]))


async def prune() -> int:
    """Delete codes that count no longer; return how many."""
    moment = clock.now()
    return await sql.execute(PRUNE, moment - DAY - timedelta(hours=1), moment)


async def _key_of(holder: Holder) -> tuple[int, bytes, str]:
    identity_hash = await keyed.digest("code holder", holder.realm, holder.identity)
    return holder.owner_id or NOBODY, identity_hash, holder.purpose


async def _hash_of(identity_hash: bytes, purpose: str, code: str) -> bytes:
    # Fits this realm, this identity and this purpose alone.
    return await keyed.digest("code", identity_hash.hex(), purpose, code)


def _columns(keys: Collection[tuple[int, bytes, str]]) -> tuple[list[int], list[bytes], list[str]]:
    return [owner_id for owner_id, _, _ in keys], [hashed for _, hashed, _ in keys], [purpose for _, _, purpose in keys]


async def _one_at_a_time(identity_hash: bytes) -> None:
    # Else requests at the same moment would all count the same number before.
    key = int.from_bytes(identity_hash[:8], "big", signed=True)
    await sql.execute("SELECT pg_advisory_xact_lock($1)", key)


async def _slow_down(owner_id: int, identity_hash: bytes, rules: Rules, moment: datetime) -> None:
    sent = await sql.fetch_one(SENT, owner_id, identity_hash, moment - DAY)
    if sent is None or sent["number"] == 0:
        return
    if sent["number"] >= rules.a_day:
        raise RateLimited(_seconds(sent["first"] + DAY - moment))
    if rules.pause is not None and sent["last"] + rules.pause > moment:
        raise RateLimited(_seconds(sent["last"] + rules.pause - moment))


def _seconds(wait: timedelta) -> int:
    return int(wait.total_seconds()) + 1
