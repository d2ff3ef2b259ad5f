"""The message to a waiting party whose table is ready, and the link to the page of its wait."""

from datetime import timedelta
from typing import Final

import structlog
from comanda.basics import RateLimited, ValidationFailed, clock, normalize_phone
from comanda.platform import runtime
from comanda.platform.db import sql
from comanda.platform.encryption import sign_link
from comanda_notifications import api as notifications

from comanda_reservations.message_templates import TABLE_READY

log = structlog.get_logger(__name__)

PURPOSE: Final = "reservations.waitlist"
LINK_LIFETIME: Final = timedelta(days=1)
# Later, the table is another's or the guests sit at it.
MESSAGE_LIFETIME: Final = timedelta(minutes=15)
SELECT_STORE: Final = "SELECT title, country FROM core_store_v1 WHERE id = $1 AND owner_id = $2"


async def send_message(row: sql.Row) -> bool:
    """Create the SMS of a party's last call in the open transaction; return whether there is one.

    A party without a number that can be reached gets none, nor does one beyond the limits of messages.
    """
    store = await sql.one(SELECT_STORE, row["store_id"], row["owner_id"])
    number = normalize_phone(row["phone"], store["country"]) if row["phone"] else None
    # A number without a country code would reach the wrong person, or nobody.
    if number is None or not number.startswith("+"):
        return False
    site = runtime.registry().guest_site_url(runtime.settings().site_url, row["store_id"])
    link = site + await create_path(row["owner_id"], row["id"])
    try:
        await notifications.send_template(
            TABLE_READY.name,
            to=number,
            channel="sms",
            values={"store": store["title"], "link": link},
            language=row["language"],
            owner_id=row["owner_id"],
            store_id=row["store_id"],
            # The link opens the page of the party.
            secret=True,
            once=f"{TABLE_READY.name}:{row['id']}:{row['calls']}",
            expires_at=clock.now() + MESSAGE_LIFETIME,
            urgency=notifications.Urgency.PROMPT,
        )
    except (RateLimited, ValidationFailed) as error:
        # Staff see that no message was sent, and call the guests by name.
        log.warning("party_not_notified", party_id=row["id"], error=str(error))
        return False
    return True


async def create_path(owner_id: int, party_id: int) -> str:
    """Return the path of the page of a party's wait, which opens for a day."""
    link = await sign_link(PURPOSE, owner_id, party_id, LINK_LIFETIME)
    return f"/reservations/waitlist/{party_id}?{link.query}"
