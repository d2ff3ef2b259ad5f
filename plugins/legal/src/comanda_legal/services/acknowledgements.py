"""The acknowledgement of a withdrawal: an e-mail with what was stated and when, and a page with the same."""

from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

import structlog
from comanda.basics import RateLimited, Sentence, ValidationFailed
from comanda.platform.db import sql
from comanda.platform.encryption import require_link_owner, sign_link
from comanda.web import GuestStore, formats
from comanda.web import gettext as _
from comanda_notifications import api as notifications

from comanda_legal.message_templates import ACKNOWLEDGEMENT
from comanda_legal.schemas import WithdrawalForm

log = structlog.get_logger(__name__)

PURPOSE: Final = "legal.withdrawal"
LINK_LIFETIME: Final = timedelta(days=90)
SELECT_STORE_ID: Final = "SELECT store_id FROM legal_withdrawal WHERE id = $1 AND owner_id = $2"


async def send_email(
    store: GuestStore, stated: WithdrawalForm, reference: str, submitted_at: datetime, language: str
) -> bool:
    """Create the e-mail in the open transaction; return whether there is one.

    Raises ``ValidationFailed`` on ``email`` for an address that no mail can be sent to. Beyond the limits of messages
    there is none: a statement counts without it, and the store sees that it has to acknowledge it.
    """
    values = {
        "store": store.title,
        "reference": reference,
        "submitted_at": format_moment(submitted_at, store.zone),
        "name": stated.name,
        "contract": stated.contract,
        "items": stated.items or _("The whole contract"),
        "email": stated.email,
        "phone": stated.phone or "\N{EN DASH}",
    }
    try:
        await notifications.send_template(
            ACKNOWLEDGEMENT.name,
            to=stated.email,
            channel="email",
            values=values,
            language=language,
            owner_id=store.owner_id,
            store_id=store.id,
            once=f"{ACKNOWLEDGEMENT.name}:{store.id}:{reference}",
        )
    except RateLimited as error:
        log.warning("withdrawal_not_acknowledged", store_id=store.id, reference=reference, error=str(error))
        return False
    except ValidationFailed as error:
        raise ValidationFailed(email=[Sentence("Must be an e-mail address.")]) from error
    return True


def format_moment(moment: datetime, zone: ZoneInfo) -> str:
    """Return a day, a time and their time zone: 28 Nov 2026, 21:15 (Europe/Lisbon)."""
    day, time = formats.format_day(moment, zone), formats.format_time(moment, zone)
    return _("%(day)s, %(time)s (%(zone)s)", day=day, time=time, zone=zone.key)


async def create_path(owner_id: int, withdrawal_id: int) -> str:
    """Return the path of the page of an acknowledgement, which opens for 90 days."""
    link = await sign_link(PURPOSE, owner_id, withdrawal_id, LINK_LIFETIME)
    return f"/legal/withdrawals/{withdrawal_id}?{link.query}"


async def find_store(withdrawal_id: int, expires: str, signature: str) -> tuple[int, int]:
    """Return the ids of the owner and the store of a linked withdrawal. Raises ``NotFound``."""
    owner_id = await require_link_owner(PURPOSE, withdrawal_id, expires, signature)
    return owner_id, (await sql.require_one(SELECT_STORE_ID, withdrawal_id, owner_id))["store_id"]
