"""Codes that are sent to people: good for some minutes, some tries and one use.

Several codes of one holder are good side by side, so that a stranger's request voids nothing; how many are sent is the
business of ``code_budget``. Each source has wrong tries of its own once it has requested a code, all others share some:
so strangers' guesses do not void a code for whoever requested it.

Nothing here depends on whether anybody is known by the phone or e-mail, so neither answers nor times can tell.

    async with sql.transaction():
        code = await codes.issue(holder, source=call.client_network)
        if code is not None:
            ...                            # store the message that carries it; else those sent before are still good

    async with sql.transaction():
        proof = await codes.redeem([holder], code, source=call.client_network)
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

from comanda import clock, runtime
from comanda.accounts.code_budget import DAY, SentCode, is_new_code_due
from comanda.db import sql
from comanda.encryption import hmac_digest
from comanda.errors import RateLimited, ValidationFailed

# The owner of what is of no owner yet, such as a driver's phone before it is known whom they drive for.
NOBODY = 0

SENT = """
    SELECT count(*) AS number, min(created_at) AS first, max(created_at) AS last FROM core_login_code
    WHERE owner_id = $1 AND identity_hash = $2 AND created_at > $3
"""
SENT_TO_ADDRESS = """
    SELECT owner_id, identity_hash, purpose, source_hash, wrong_tries, other_tries, expires_at, used_at, created_at
    FROM core_login_code WHERE address_hash = $1 AND created_at > $2 ORDER BY id DESC
"""
STORE = """
    INSERT INTO core_login_code (owner_id, identity_hash, purpose, code_hash, expires_at, created_at, address_hash,
        source_hash)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""
# Locked, for two may try one code at once, and it opens one door.
NEWEST = """
    SELECT id, owner_id, identity_hash, purpose, code_hash, source_hash, wrong_tries, other_tries, expires_at, used_at
    FROM core_login_code
    WHERE (owner_id, identity_hash, purpose)
        IN (SELECT owner_id, identity_hash, purpose
            FROM unnest($1::bigint[], $2::bytea[], $3::text[]) AS h (owner_id, identity_hash, purpose))
    ORDER BY id DESC LIMIT $4 FOR UPDATE
"""
INCREMENT_WRONG_TRIES = "UPDATE core_login_code SET wrong_tries = wrong_tries + 1 WHERE id = $1 AND owner_id = $2"
INCREMENT_OTHER_TRIES = "UPDATE core_login_code SET other_tries = other_tries + 1 WHERE id = $1 AND owner_id = $2"
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
    "otp_invalid": "This code is wrong, or was used already.",
    "otp_expired": "This code has expired. Request a new one.",
    "otp_exhausted": "This code was tried too often. Request a new one.",
}


@dataclass(frozen=True, slots=True)
class CodeRules:
    """What codes are like: how long, how long good, how often tried, and how many are good side by side (``alive``).

    With one ``alive`` the newest alone is good, and ``a_day`` of them are sent, of all purposes together, at most one
    per ``pause``: for codes that no stranger can request. With several, ``code_budget`` says how many are sent.
    """

    digits: int = 6
    lifetime: timedelta = timedelta(minutes=10)
    wrong_tries: int = 5
    a_day: int = 20
    pause: timedelta | None = None
    alive: int = 1
    per_source: int = 10


LOGIN_RULES: Final = CodeRules(alive=3)
# No more codes of one holder than these can be good at the same time: see ``code_budget``.
MAX_LOCKED: Final = 100


@dataclass(frozen=True, slots=True)
class CodeHolder:
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
class RedeemedCode:
    """Whose code it was; or None and the reason, such as ``otp_expired``."""

    holder: CodeHolder | None
    reason: str = ""

    def refusal(self) -> ValidationFailed:
        """Make the error for a code that proves nothing."""
        return ValidationFailed(code=[SENTENCES[self.reason]], extras={"reason": self.reason})


async def issue_code(holder: CodeHolder, rules: CodeRules = LOGIN_RULES, *, source: str = "") -> str | None:
    """Create a code and return its digits, which the caller sends; None where those sent before are still good.

    ``source`` is the address that the request came from. In the open transaction, or in one of its own. Raises
    ``RateLimited``.
    """
    code = f"{secrets.randbelow(10**rules.digits):0{rules.digits}}"
    moment = clock.now()
    owner_id, identity_hash, purpose = key = await _key_of(holder)
    address_hash, source_hash = await _address_hash(holder), await _source_hash(source)
    code_hash = await _hash_of(identity_hash, purpose, code)
    async with sql.transaction():
        await _one_at_a_time(address_hash)
        if rules.alive == 1:
            await _slow_down(owner_id, identity_hash, rules, moment)
        elif not await _is_due(key, address_hash, source_hash, rules, moment):
            return None
        hashes = (address_hash, source_hash)
        await sql.execute(STORE, owner_id, identity_hash, purpose, code_hash, moment + rules.lifetime, moment, *hashes)
    return code


async def redeem_code(
    holders: Sequence[CodeHolder], code: str, rules: CodeRules = LOGIN_RULES, *, source: str = ""
) -> RedeemedCode:
    """Use up a code that was sent to any of the holders, in the open transaction.

    ``source`` is the address that the code came from. A wrong try is counted; so the caller commits, and raises the
    ``refusal`` afterwards.
    """
    by_key = {await _key_of(holder): holder for holder in holders}
    rows = await sql.fetch(NEWEST, *_columns(by_key), 1 if rules.alive == 1 else MAX_LOCKED)
    tried = _tried(rows, rules, await _source_hash(source), clock.now())
    if isinstance(tried, str):
        return RedeemedCode(None, tried)
    for row in tried.candidates:
        if hmac.compare_digest(row["code_hash"], await _hash_of(row["identity_hash"], row["purpose"], code)):
            await sql.execute(USE, row["id"], row["owner_id"], clock.now())
            return RedeemedCode(by_key[row["owner_id"], row["identity_hash"], row["purpose"]])
    for row in tried.counted:
        await sql.execute(tried.increment, row["id"], row["owner_id"])
    return RedeemedCode(None, "otp_invalid")


async def delete_codes(holders: Sequence[CodeHolder]) -> None:
    """Delete the codes of holders, used or not; none of them counts towards the day's any more."""
    await sql.execute(FORGET, *_columns([await _key_of(holder) for holder in holders]))


async def prune() -> int:
    """Delete codes that count no longer; return how many."""
    moment = clock.now()
    return await sql.execute(PRUNE, moment - DAY - timedelta(hours=1), moment)


async def _key_of(holder: CodeHolder) -> tuple[int, bytes, str]:
    identity_hash = await hmac_digest.hmac_digest("code holder", holder.realm, holder.identity)
    return holder.owner_id or NOBODY, identity_hash, holder.purpose


async def _address_hash(holder: CodeHolder) -> bytes:
    # Of the phone or e-mail alone: what it is sent by all plugins and stores is counted together.
    return await hmac_digest.hmac_digest("code address", holder.identity)


async def _source_hash(source: str) -> bytes:
    return await hmac_digest.hmac_digest("code source", source)


async def _hash_of(identity_hash: bytes, purpose: str, code: str) -> bytes:
    # Fits this realm, this identity and this purpose alone.
    return await hmac_digest.hmac_digest("code", identity_hash.hex(), purpose, code)


def _columns(keys: Collection[tuple[int, bytes, str]]) -> tuple[list[int], list[bytes], list[str]]:
    return [owner_id for owner_id, _, _ in keys], [hashed for _, hashed, _ in keys], [purpose for _, _, purpose in keys]


async def _one_at_a_time(identity_hash: bytes) -> None:
    # Else requests at the same moment would all count the same number before.
    key = int.from_bytes(identity_hash[:8], "big", signed=True)
    await sql.execute("SELECT pg_advisory_xact_lock($1)", key)


@dataclass(frozen=True, slots=True)
class _CodeAttempt:
    """The codes that a try is held against, and where it is counted if it is wrong."""

    candidates: Sequence[sql.Row]
    counted: Sequence[sql.Row]
    increment: str


def _tried(rows: Sequence[sql.Row], rules: CodeRules, source_hash: bytes, moment: datetime) -> _CodeAttempt | str:
    """Return what a try from a source is held against, or the reason why it is refused unseen."""
    good = [row for row in rows if row["used_at"] is None and row["expires_at"] > moment]
    if not good:
        return _reason(rows, rules)
    own = good[0] if rules.alive == 1 else next((row for row in good if row["source_hash"] == source_hash), None)
    if own is not None:
        if own["wrong_tries"] >= rules.wrong_tries:
            return "otp_exhausted"
        return _CodeAttempt(
            [own, *[row for row in good if row is not own][: rules.alive - 1]], [own], INCREMENT_WRONG_TRIES
        )
    open_to_others = [row for row in good if row["other_tries"] < rules.wrong_tries][: rules.alive]
    return _CodeAttempt(open_to_others, open_to_others, INCREMENT_OTHER_TRIES) if open_to_others else "otp_exhausted"


def _reason(rows: Sequence[sql.Row], rules: CodeRules) -> str:
    if not rows or rows[0]["used_at"] is not None:
        return "otp_invalid"
    return "otp_exhausted" if rows[0]["wrong_tries"] >= rules.wrong_tries else "otp_expired"


async def _is_due(
    key: tuple[int, bytes, str], address_hash: bytes, source_hash: bytes, rules: CodeRules, moment: datetime
) -> bool:
    rows = await sql.fetch(SENT_TO_ADDRESS, address_hash, moment - DAY)
    owner_id, identity_hash, purpose = key
    of_holder = [row for row in rows if (row["owner_id"], row["identity_hash"]) == (owner_id, identity_hash)]
    usable = _tried([row for row in of_holder if row["purpose"] == purpose], rules, source_hash, moment)
    good = [] if isinstance(usable, str) else usable.candidates
    sent = [
        SentCode(
            created_at=row["created_at"],
            is_same_holder=any(row is one for one in of_holder),
            is_same_source=row["source_hash"] == source_hash,
            is_usable=any(row is one for one in good),
        )
        for row in rows
    ]
    per_address = runtime.settings().login_codes_per_address
    return is_new_code_due(
        sent, moment, per_source=rules.per_source, alive=rules.alive, per_holder=rules.a_day, per_address=per_address
    )


async def _slow_down(owner_id: int, identity_hash: bytes, rules: CodeRules, moment: datetime) -> None:
    sent = await sql.fetch_one(SENT, owner_id, identity_hash, moment - DAY)
    if sent is None or sent["number"] == 0:
        return
    if sent["number"] >= rules.a_day:
        raise RateLimited(_seconds(sent["first"] + DAY - moment))
    if rules.pause is not None and sent["last"] + rules.pause > moment:
        raise RateLimited(_seconds(sent["last"] + rules.pause - moment))


def _seconds(wait: timedelta) -> int:
    return int(wait.total_seconds()) + 1
