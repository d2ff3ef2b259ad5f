"""Forgotten passwords of owners: a link by e-mail under which a new one is chosen.

Whoever asks learns nothing about the address: the answer and its time are the same whether or not it is known.
"""

from datetime import timedelta
from typing import Final

from comanda.accounts import login_attempts
from comanda.accounts.owner_login import ATTEMPTS_PER_NETWORK, NO_OWNER, RESET_PURPOSE, set_owner_password
from comanda.accounts.owners import messages
from comanda.accounts.sign_in import one_time_tokens
from comanda.basics.errors import NotFound
from comanda.contracts.background.messaging import Sender
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.encryption import hmac_digest

PRODUCT: Final = "Comanda"
LIFETIME: Final = timedelta(minutes=30)
RESET_PATH: Final = "/sign-in/reset/"
# E-mails to one address, so that nobody's mailbox is flooded.
REQUESTS_PER_ADDRESS: Final = login_attempts.LockoutRules(failures=3, window=timedelta(hours=1))

SELECT_OWNER: Final = """
    SELECT id, email, name, is_suspended, brand_name, brand_email FROM core_owner WHERE email = $1
"""


async def request_link(email: str, network: str, languages: list[str]) -> None:
    """Send a link to a new password to an owner's e-mail address, and nothing to an unknown one.

    Raises ``RateLimited`` after too many requests for one address, known or not, or from one network.
    """
    address = email.strip().casefold()
    key = await hmac_digest.hmac_digest("owner.reset.network", network)
    await login_attempts.count_attempt(NO_OWNER, key, ATTEMPTS_PER_NETWORK)
    key = await hmac_digest.hmac_digest("owner.reset", address)
    await login_attempts.count_attempt(NO_OWNER, key, REQUESTS_PER_ADDRESS)
    row = await sql.fetch_one(SELECT_OWNER, address) if "\0" not in address else None
    if row is None or row["is_suspended"]:
        # The same work as for a known address; nobody is sent this token.
        await one_time_tokens.create_token(NO_OWNER, RESET_PURPOSE, timedelta(0))
        return
    token = await one_time_tokens.create_token(row["id"], RESET_PURPOSE, LIFETIME)
    link = f"{runtime.settings().site_url}{RESET_PATH}{token}"
    values = {"name": row["name"], "link": link, "brand": row["brand_name"] or PRODUCT}
    sender = Sender(row["brand_name"], row["brand_email"])
    messages.send_email(messages.PASSWORD_RESET, row["email"], values, languages, sender)


async def is_reset_token(token: str) -> bool:
    """Return whether a link is valid."""
    found = await one_time_tokens.find_token(token, RESET_PURPOSE)
    return found is not None and found.owner_id != NO_OWNER


async def reset_password(token: str, password: str) -> int:
    """Set the password of a link's owner, end all web sessions and logins, and return the owner's id.

    Raises ``NotFound`` for a link that is used or expired, and ``ValidationFailed`` for a password that breaks a rule,
    after which the link is still good.
    """
    async with sql.transaction():
        used = await one_time_tokens.use_token(token, RESET_PURPOSE)
        if used is None or used.owner_id == NO_OWNER:
            raise NotFound
        await set_owner_password(used.owner_id, password)
    return used.owner_id
