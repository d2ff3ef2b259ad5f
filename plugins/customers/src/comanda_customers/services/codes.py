"""One-time codes: sent to a phone or an e-mail, worth ten minutes, five tries and one use.

Nothing here depends on whether anybody is known by the phone or e-mail, so neither answers nor times can tell.
"""

import hmac
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from comanda import clock
from comanda.db import sql
from comanda.errors import RateLimited, ValidationFailed
from comanda.messaging import Message
from comanda_notifications.api import send

from comanda_customers.hashing import Hasher
from comanda_customers.identities import Identity, Kind
from comanda_customers.models import Purpose
from comanda_customers.services.shops import Shop

LIFETIME = timedelta(minutes=10)
MAX_WRONG_TRIES = 5
MAX_A_DAY = 20
DAY = timedelta(days=1)
DIGITS = 6

SENT = """
    SELECT count(*) AS number, min(created_at) AS first FROM customers_code
    WHERE store_id = $1 AND owner_id = $2 AND identity_hash = $3 AND created_at > $4
"""
STORE = """
    INSERT INTO customers_code (owner_id, store_id, identity_hash, purpose, code_hash, expires_at, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
"""
# Locked, for two may try one code at once, and it opens one door.
NEWEST = """
    SELECT id, owner_id, identity_hash, code_hash, wrong_tries, expires_at, used_at FROM customers_code
    WHERE store_id = $1 AND owner_id = $2 AND identity_hash = ANY($3::bytea[]) AND purpose = $4
    ORDER BY id DESC LIMIT 1 FOR UPDATE
"""
MISS = "UPDATE customers_code SET wrong_tries = wrong_tries + 1 WHERE id = $1 AND owner_id = $2"
USE = "UPDATE customers_code SET used_at = $3 WHERE id = $1 AND owner_id = $2"


@dataclass(frozen=True, slots=True)
class Redeemed:
    """What a code proves; or None and the reason, such as ``otp_expired``."""

    identity: Identity | None
    reason: str = ""

    def refusal(self) -> ValidationFailed:
        """Make the error for a code that proves nothing."""
        return ValidationFailed(code=[SENTENCES[self.reason]], extras={"reason": self.reason})


SENTENCES = {
    "otp_invalid": "This code is wrong, or a newer one was sent.",
    "otp_expired": "This code has expired. Request a new one.",
    "otp_exhausted": "This code was tried too often. Request a new one.",
}


async def request(shop: Shop, identity: Identity, purpose: Purpose) -> None:
    """Send a new code, which makes the earlier ones void. Raises ``RateLimited`` after ``MAX_A_DAY``."""
    hasher = await Hasher.of(shop.id)
    identity_hash = hasher.identity(identity)
    code = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
    moment = clock.now()
    async with sql.transaction():
        await _one_at_a_time(identity_hash)
        await _slow_down(shop, identity_hash, moment)
        code_hash = hasher.code(identity_hash, purpose, code)
        await sql.execute(STORE, shop.owner_id, shop.id, identity_hash, purpose, code_hash, moment + LIFETIME, moment)
        await send(
            _message(shop, identity, code),
            owner_id=shop.owner_id,
            store_id=shop.id,
            purpose="customers.code",
            secret=True,
            expires_at=moment + LIFETIME,
        )


async def redeem(shop: Shop, candidates: Sequence[Identity], purpose: Purpose, code: str) -> Redeemed:
    """Use up the newest code that was sent to any of the candidates, in the open transaction.

    A wrong try is counted; so the caller commits, and raises the ``refusal`` afterwards.
    """
    hasher = await Hasher.of(shop.id)
    by_hash = {hasher.identity(candidate): candidate for candidate in candidates}
    row = await sql.fetch_one(NEWEST, shop.id, shop.owner_id, list(by_hash), purpose)
    if row is None or row["used_at"] is not None:
        return Redeemed(None, "otp_invalid")
    if row["wrong_tries"] >= MAX_WRONG_TRIES:
        return Redeemed(None, "otp_exhausted")
    moment = clock.now()
    if row["expires_at"] <= moment:
        return Redeemed(None, "otp_expired")
    if not hmac.compare_digest(row["code_hash"], hasher.code(row["identity_hash"], purpose, code)):
        await sql.execute(MISS, row["id"], row["owner_id"])
        return Redeemed(None, "otp_invalid")
    await sql.execute(USE, row["id"], row["owner_id"], moment)
    return Redeemed(by_hash[row["identity_hash"]])


async def _one_at_a_time(identity_hash: bytes) -> None:
    # Else requests at the same moment would all count the same number before.
    key = int.from_bytes(identity_hash[:8], "big", signed=True)
    await sql.execute("SELECT pg_advisory_xact_lock($1)", key)


async def _slow_down(shop: Shop, identity_hash: bytes, moment: datetime) -> None:
    sent = await sql.fetch_one(SENT, shop.id, shop.owner_id, identity_hash, moment - DAY)
    if sent is not None and sent["number"] >= MAX_A_DAY:
        raise RateLimited(int((sent["first"] + DAY - moment).total_seconds()) + 1)


def _message(shop: Shop, identity: Identity, code: str) -> Message:
    minutes = int(LIFETIME.total_seconds()) // 60
    text = f"{code} is your code for {shop.title}. It is good for {minutes} minutes. Give it to nobody."
    if identity.kind is Kind.PHONE:
        return Message(channel="sms", to=identity.value, text=text)
    return Message(channel="email", to=identity.value, subject=f"Your code for {shop.title}"[:200], text=text)
