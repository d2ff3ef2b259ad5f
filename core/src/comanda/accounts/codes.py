"""One-time codes sent by SMS or e-mail: valid for some minutes, some attempts and one use.

Several codes of one recipient can be valid at once, so a stranger's request invalidates nothing; ``code_budget`` limits
how many are sent. A source that has requested a code has wrong attempts of its own, all others share some. So guesses
by strangers do not invalidate a code for the person who requested it.

Nothing here depends on whether the phone or e-mail is known, so neither answers nor timing reveal it.

    async with sql.transaction():
        code = await codes.issue(recipient, source=call.client_network)
        if code is not None:
            ...                            # store the message with the code; None: earlier codes are still valid

    async with sql.transaction():
        proof = await codes.redeem([recipient], code, source=call.client_network)
        if proof.recipient is not None:
            ...                            # log them in
    if proof.recipient is None:
        raise proof.to_error()             # after the commit, which keeps the wrong attempt
"""

import hmac
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import itemgetter
from typing import Final

from comanda.accounts.sign_in.code_budget import DAY, SentCode, is_new_code_due
from comanda.basics import clock
from comanda.basics.errors import RateLimited, ValidationFailed
from comanda.basics.sentences import Sentence
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.db.cluster.placements import split_by_statement
from comanda.platform.encryption import hmac_digest

# Stands for no owner yet, such as for a driver's phone before it is known which owner they drive for.
NO_OWNER = 0

COUNT_SENT_CODES = """
    SELECT count(*) AS number, min(created_at) AS first, max(created_at) AS last FROM core_login_code
    WHERE owner_id = $1 AND identity_hash = $2 AND created_at > $3
"""
SELECT_CODES_SENT_TO_ADDRESS = """
    SELECT owner_id, identity_hash, purpose, source_hash, wrong_tries, other_tries, expires_at, used_at, created_at
    FROM core_login_code WHERE address_hash = $1 AND created_at > $2 ORDER BY id DESC
"""
INSERT_CODE = """
    INSERT INTO core_login_code (owner_id, identity_hash, purpose, code_hash, expires_at, created_at, address_hash,
        source_hash)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
"""
# Locked, because two requests may try one code at once and only one may use it.
LOCK_NEWEST_CODES = """
    SELECT id, owner_id, identity_hash, purpose, code_hash, source_hash, wrong_tries, other_tries, expires_at, used_at
    FROM core_login_code
    WHERE (owner_id, identity_hash, purpose)
        IN (SELECT owner_id, identity_hash, purpose
            FROM unnest($1::bigint[], $2::bytea[], $3::text[]) AS h (owner_id, identity_hash, purpose))
      AND owner_id = ANY($1::bigint[])
    ORDER BY id DESC LIMIT $4 FOR UPDATE
"""
INCREMENT_WRONG_TRIES = "UPDATE core_login_code SET wrong_tries = wrong_tries + 1 WHERE id = $1 AND owner_id = $2"
INCREMENT_OTHER_TRIES = "UPDATE core_login_code SET other_tries = other_tries + 1 WHERE id = $1 AND owner_id = $2"
MARK_CODE_USED = "UPDATE core_login_code SET used_at = $3 WHERE id = $1 AND owner_id = $2"
DELETE_CODES = """
    DELETE FROM core_login_code
    WHERE (owner_id, identity_hash, purpose)
        IN (SELECT owner_id, identity_hash, purpose
            FROM unnest($1::bigint[], $2::bytea[], $3::text[]) AS h (owner_id, identity_hash, purpose))
      AND owner_id = ANY($1::bigint[])
"""
# Codes count for a day after they were sent; one hour more, because clocks differ.
DELETE_EXPIRED_CODES = "DELETE FROM core_login_code WHERE created_at < $1 AND expires_at < $2"

ERROR_TEXTS: Final = {
    "otp_invalid": Sentence("This code is wrong, or was used already."),
    "otp_expired": Sentence("This code has expired. Request a new one."),
    "otp_exhausted": Sentence("This code was tried too often. Request a new one."),
}


@dataclass(frozen=True, slots=True)
class CodeRules:
    """Rules for one kind of code: its length, lifetime, wrong attempts, and how many are valid at once.

    With ``max_active`` 1 only the newest code is valid, and at most ``max_per_day`` are sent for all purposes together,
    at most one per ``pause``: for codes that no stranger can request. With more, ``code_budget`` limits how many are
    sent.
    """

    digits: int = 6
    lifetime: timedelta = timedelta(minutes=10)
    wrong_tries: int = 5
    max_per_day: int = 20
    pause: timedelta | None = None
    max_active: int = 1
    per_source: int = 10


LOGIN_RULES: Final = CodeRules(max_active=3)
# An upper bound of the codes of one recipient that are valid at the same time; see ``code_budget``.
MAX_LOCKED_CODES: Final = 100


@dataclass(frozen=True, slots=True)
class CodeRecipient:
    """The recipient of a code and its purpose; a code for one recipient is not valid for another.

    ``realm`` is the plugin and its namespace, such as ``customers:12`` (a store) or ``drivers``; ``identity`` is a
    phone number in E.164, an e-mail address in lower case, or an object such as ``order:7``; ``purpose`` is a word of
    at most 20 characters; ``owner_id`` is None while no owner is known.
    """

    realm: str
    identity: str
    purpose: str
    owner_id: int | None


@dataclass(frozen=True, slots=True)
class RedeemedCode:
    """The recipient of a redeemed code; or None and the reason, such as ``otp_expired``."""

    recipient: CodeRecipient | None
    reason: str = ""

    def to_error(self) -> ValidationFailed:
        """Return the error for a code that was not accepted."""
        return ValidationFailed(code=[ERROR_TEXTS[self.reason]], extras={"reason": self.reason})


async def issue_code(recipient: CodeRecipient, rules: CodeRules = LOGIN_RULES, *, source: str = "") -> str | None:
    """Create a code and return its digits for the caller to send, or None while earlier codes are still valid.

    ``source`` is the address that the request came from. Runs in the open transaction, or in one of its own. Raises
    ``RateLimited``.
    """
    code = f"{secrets.randbelow(10**rules.digits):0{rules.digits}}"
    moment = clock.now()
    owner_id, identity_hash, purpose = key = await _to_key(recipient)
    address_hash, source_hash = await _hash_address(recipient), await _hash_source(source)
    code_hash = await _hash_code(identity_hash, purpose, code)
    async with sql.transaction():
        await _lock_address(address_hash)
        if rules.max_active == 1:
            await _check_rate(owner_id, identity_hash, rules, moment)
        elif not await _is_due(key, address_hash, source_hash, rules, moment):
            return None
        hashes = (address_hash, source_hash)
        await sql.execute(
            INSERT_CODE, owner_id, identity_hash, purpose, code_hash, moment + rules.lifetime, moment, *hashes
        )
    return code


async def redeem_code(
    recipients: Sequence[CodeRecipient], code: str, rules: CodeRules = LOGIN_RULES, *, source: str = ""
) -> RedeemedCode:
    """Redeem a code that was sent to any of the recipients, in the open transaction.

    ``source`` is the address that the code came from. A wrong attempt is counted, so the caller commits first and
    raises ``RedeemedCode.to_error`` afterwards.
    """
    by_key = {await _to_key(recipient): recipient for recipient in recipients}
    rows = await _lock_newest_codes(list(by_key), 1 if rules.max_active == 1 else MAX_LOCKED_CODES)
    tried = _select_attempt(rows, rules, await _hash_source(source), clock.now())
    if isinstance(tried, str):
        return RedeemedCode(None, tried)
    for row in tried.candidates:
        if hmac.compare_digest(row["code_hash"], await _hash_code(row["identity_hash"], row["purpose"], code)):
            await sql.execute(MARK_CODE_USED, row["id"], row["owner_id"], clock.now())
            return RedeemedCode(by_key[row["owner_id"], row["identity_hash"], row["purpose"]])
    for row in tried.counted:
        await sql.execute(tried.increment, row["id"], row["owner_id"])
    return RedeemedCode(None, "otp_invalid")


async def _lock_newest_codes(keys: Sequence[tuple[int, bytes, str]], limit: int) -> list[sql.Row]:
    rows: list[sql.Row] = []
    for owner_ids in await split_by_statement("core_login_code", [key[0] for key in keys]):
        own = [key for key in keys if key[0] in owner_ids]
        rows += await sql.fetch(LOCK_NEWEST_CODES, *_to_columns(own), limit)
    return sorted(rows, key=itemgetter("id"), reverse=True)[:limit]


async def delete_codes(recipients: Sequence[CodeRecipient]) -> None:
    """Delete the codes of recipients, used or not; they no longer count towards the daily limit."""
    await sql.execute(DELETE_CODES, *_to_columns([await _to_key(recipient) for recipient in recipients]))


async def delete_expired_codes() -> int:
    """Delete codes that no longer count and return how many."""
    moment = clock.now()
    return await sql.execute(DELETE_EXPIRED_CODES, moment - DAY - timedelta(hours=1), moment)


async def _to_key(recipient: CodeRecipient) -> tuple[int, bytes, str]:
    identity_hash = await hmac_digest.hmac_digest("code holder", recipient.realm, recipient.identity)
    return recipient.owner_id or NO_OWNER, identity_hash, recipient.purpose


async def _hash_address(recipient: CodeRecipient) -> bytes:
    # The phone or e-mail alone, so that the codes of all plugins and stores are counted together.
    return await hmac_digest.hmac_digest("code address", recipient.identity)


async def _hash_source(source: str) -> bytes:
    return await hmac_digest.hmac_digest("code source", source)


async def _hash_code(identity_hash: bytes, purpose: str, code: str) -> bytes:
    # Bound to this realm, identity and purpose.
    return await hmac_digest.hmac_digest("code", identity_hash.hex(), purpose, code)


def _to_columns(keys: Collection[tuple[int, bytes, str]]) -> tuple[list[int], list[bytes], list[str]]:
    return [owner_id for owner_id, _, _ in keys], [hashed for _, hashed, _ in keys], [purpose for _, _, purpose in keys]


async def _lock_address(identity_hash: bytes) -> None:
    # Without the lock, simultaneous requests would all count the same number of earlier codes.
    key = int.from_bytes(identity_hash[:8], "big", signed=True)
    await sql.execute("SELECT pg_advisory_xact_lock($1)", key)


@dataclass(frozen=True, slots=True)
class _CodeAttempt:
    """The codes that an attempt is compared with, and those on which a wrong one is counted."""

    candidates: Sequence[sql.Row]
    counted: Sequence[sql.Row]
    increment: str


def _select_attempt(
    rows: Sequence[sql.Row], rules: CodeRules, source_hash: bytes, moment: datetime
) -> _CodeAttempt | str:
    """Return the codes to compare with an attempt from a source, or the reason why it is refused without comparing."""
    good = [row for row in rows if row["used_at"] is None and row["expires_at"] > moment]
    if not good:
        return _to_reason(rows, rules)
    own = good[0] if rules.max_active == 1 else next((row for row in good if row["source_hash"] == source_hash), None)
    if own is not None:
        if own["wrong_tries"] >= rules.wrong_tries:
            return "otp_exhausted"
        return _CodeAttempt(
            [own, *[row for row in good if row is not own][: rules.max_active - 1]], [own], INCREMENT_WRONG_TRIES
        )
    open_to_others = [row for row in good if row["other_tries"] < rules.wrong_tries][: rules.max_active]
    return _CodeAttempt(open_to_others, open_to_others, INCREMENT_OTHER_TRIES) if open_to_others else "otp_exhausted"


def _to_reason(rows: Sequence[sql.Row], rules: CodeRules) -> str:
    if not rows or rows[0]["used_at"] is not None:
        return "otp_invalid"
    return "otp_exhausted" if rows[0]["wrong_tries"] >= rules.wrong_tries else "otp_expired"


async def _is_due(
    key: tuple[int, bytes, str], address_hash: bytes, source_hash: bytes, rules: CodeRules, moment: datetime
) -> bool:
    rows = await sql.fetch(SELECT_CODES_SENT_TO_ADDRESS, address_hash, moment - DAY)
    owner_id, identity_hash, purpose = key
    of_holder = [row for row in rows if (row["owner_id"], row["identity_hash"]) == (owner_id, identity_hash)]
    usable = _select_attempt([row for row in of_holder if row["purpose"] == purpose], rules, source_hash, moment)
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
        sent,
        moment,
        per_source=rules.per_source,
        max_active=rules.max_active,
        per_holder=rules.max_per_day,
        per_address=per_address,
    )


async def _check_rate(owner_id: int, identity_hash: bytes, rules: CodeRules, moment: datetime) -> None:
    sent = await sql.fetch_one(COUNT_SENT_CODES, owner_id, identity_hash, moment - DAY)
    if sent is None or sent["number"] == 0:
        return
    if sent["number"] >= rules.max_per_day:
        raise RateLimited(sent["first"] + DAY - moment)
    if rules.pause is not None and sent["last"] + rules.pause > moment:
        raise RateLimited(sent["last"] + rules.pause - moment)
