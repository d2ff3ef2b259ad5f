"""SMS: counted, held during quiet hours, and withheld beyond the owner's limit, of which the owner is told."""

from datetime import datetime
from typing import Final

import structlog
from comanda.basics import RateLimited, ValidationFailed
from comanda.contracts import OutgoingMessage
from comanda.platform import runtime
from comanda.platform.db import sql

from comanda_notifications.message_templates import SMS_LIMIT_NEAR, SMS_LIMIT_REACHED
from comanda_notifications.models import Urgency
from comanda_notifications.services import messages, sms_limits, template_texts
from comanda_notifications.services.sms_limits import SmsTerms

log = structlog.get_logger(__name__)

OVER_LIMIT: Final = "The monthly limit of SMS is reached."
SELECT_OWNER: Final = "SELECT name, email FROM core_owner_v1 WHERE id = $1"
NOTICES: Final = {80: SMS_LIMIT_NEAR, 100: SMS_LIMIT_REACHED}


@sql.transaction()
async def create_sms(
    message: OutgoingMessage,
    urgency: Urgency,
    *,
    owner_id: int,
    store_id: int | None,
    purpose: str,
    is_secret: bool,
    once_key: str | None,
    expires_at: datetime | None,
) -> int:
    """Create an SMS like ``messages.create_message``, within the owner's limit, and return its id.

    Beyond the limit it is stored as withheld; a code has a limit of its own, and then raises ``RateLimited``.
    """
    if once_key and (earlier := await messages.get_id_by_once_key(owner_id, once_key)):
        return earlier
    terms = await sms_limits.get_terms(owner_id, store_id)
    sent = await sms_limits.count_message(terms, urgency)
    id = await messages.create_message(
        message,
        owner_id=owner_id,
        store_id=store_id,
        purpose=purpose,
        is_secret=is_secret,
        once_key=once_key,
        expires_at=expires_at,
        due_at=terms.get_held_until(urgency),
        refusal=OVER_LIMIT if sent is None else None,
    )
    if sent is not None and (percent := await sms_limits.claim_notice(terms, sent)) is not None:
        await _notify_owner(terms, percent)
    return id


async def _notify_owner(terms: SmsTerms, percent: int) -> None:
    template = NOTICES[percent]
    owner = await sql.one(SELECT_OWNER, terms.owner_id)
    texts = await template_texts.load_texts(template.name, "email", terms.owner_id, None)
    link = f"{runtime.settings().site_url.rstrip('/')}/dashboard/sms-limits"
    text = texts.render({"name": owner["name"], "limit": terms.limit, "link": link}, None)
    try:
        await messages.create_message(
            OutgoingMessage("email", owner["email"], text.text, text.subject),
            owner_id=terms.owner_id,
            store_id=None,
            purpose=template.name,
            is_secret=False,
            once_key=None,
            expires_at=None,
        )
    except (RateLimited, ValidationFailed) as error:
        # The SMS must not fail because of the notice.
        log.warning("owner_not_notified", owner_id=terms.owner_id, purpose=template.name, error=str(error))
