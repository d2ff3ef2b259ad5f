"""Invitations of customers: a link by e-mail with which the owner of a new account sets its password.

Only the hash of a link's secret is stored. A new invitation replaces the one before it; a link works once.
"""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from comanda.accounts import set_owner_password, tokens
from comanda.basics import NotFound, clock
from comanda.contracts import Sender
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda_notifications import api as notifications

from comanda_reseller.message_templates import INVITATION
from comanda_reseller.models import Customer
from comanda_reseller.settings import get_settings

SECRET_BYTES: Final = 32
PATH: Final = "/reseller/invitations/"
SELECT_PARTIES: Final = """
    SELECT id, name, email, brand_name, brand_email FROM core_owner_v1 WHERE id = ANY($1::bigint[])
"""
SELECT_INVITED: Final = """
    SELECT o.name, o.email, o.brand_name, c.owner_id, c.customer_owner_id
    FROM reseller_customer c JOIN core_owner_v1 o ON o.id = c.customer_owner_id
    WHERE c.invitation_hash = $1 AND c.invitation_expires_at > $2 AND NOT o.is_suspended
"""
ACCEPT: Final = """
    UPDATE reseller_customer SET invitation_hash = NULL, invitation_expires_at = NULL, accepted_at = $4
    WHERE owner_id = $1 AND customer_owner_id = $2 AND invitation_hash = $3
"""


@dataclass(frozen=True, slots=True)
class Invitation:
    """The account that an invitation is for, and the brand of its reseller."""

    reseller_id: int
    customer_id: int
    name: str
    email: str
    brand_name: str | None


async def invite(customer: Customer, email: str) -> None:
    """Send a customer an invitation that replaces earlier ones, in the open transaction. Raises ``RateLimited``."""
    secret = secrets.token_urlsafe(SECRET_BYTES)
    moment = clock.now()
    days = get_settings().invitation_days
    customer.invitation_hash = tokens.hash_token(secret)
    customer.invitation_expires_at = moment + timedelta(days=days)
    customer.invited_at = moment
    await customer.save(update_fields=["invitation_hash", "invitation_expires_at", "invited_at"])
    ids = [customer.owner_id, customer.customer_owner_id]
    parties = {row["id"]: row for row in await sql.fetch(SELECT_PARTIES, ids)}
    reseller, invited = parties[customer.owner_id], parties[customer.customer_owner_id]
    sender = Sender(invited["brand_name"] or reseller["name"], invited["brand_email"] or reseller["email"])
    await notifications.send_template(
        INVITATION.name,
        to=email,
        channel="email",
        values={
            "name": invited["name"],
            "reseller": sender.name,
            "link": f"{runtime.settings().site_url}{PATH}{secret}",
            "days": days,
        },
        language=customer.language,
        owner_id=customer.owner_id,
        secret=True,
        expires_at=customer.invitation_expires_at,
        sender=sender,
    )


async def find_invitation(secret: str) -> Invitation:
    """Return the account that a link is for. Raises ``NotFound`` for one that is unknown, used or expired."""
    row = await sql.fetch_one(SELECT_INVITED, tokens.hash_token(secret), clock.now())
    if row is None:
        raise NotFound("This invitation is not valid any more. Ask for a new one.")
    return Invitation(row["owner_id"], row["customer_owner_id"], row["name"], row["email"], row["brand_name"])


async def accept_invitation(secret: str, password: str) -> Invitation:
    """Set the password of the account that a link is for. Raises ``NotFound``, and ``ValidationFailed``."""
    invitation = await find_invitation(secret)
    async with sql.transaction():
        # Of two who use one link, one changes the row.
        values = (invitation.reseller_id, invitation.customer_id, tokens.hash_token(secret), clock.now())
        if not await sql.execute(ACCEPT, *values):
            raise NotFound("This invitation is not valid any more. Ask for a new one.")
        await set_owner_password(invitation.customer_id, password)
    return invitation
