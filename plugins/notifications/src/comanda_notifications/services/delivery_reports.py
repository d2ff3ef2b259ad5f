"""What services report on SMS after they took them: whether each arrived, and what guests answered."""

from typing import Final

from comanda.basics import clock, to_digits
from comanda.platform.db import sql

from comanda_notifications.models import SmsDelivery
from comanda_notifications.services import opt_outs

# The first report is final: one that is sent again changes nothing. It may come before the attempt was saved.
SAVE_REPORT: Final = """
    UPDATE notifications_message SET delivery = $3, delivery_error = $4, reported_at = $5
    WHERE number = $1 AND channel = 'sms' AND ($2::bigint IS NULL OR owner_id = $2) AND delivery IS NULL
        AND status IN ('pending', 'sent')
"""
SELECT_OWNER: Final = "SELECT owner_id FROM notifications_message WHERE number = $1 AND channel = 'sms'"
SELECT_OWNERS: Final = """
    SELECT DISTINCT owner_id FROM notifications_message WHERE channel = 'sms' AND left(address, 320) = ANY($1::text[])
"""
MAX_ERROR_LENGTH: Final = 500


@sql.transaction()
async def record_report(
    message_id: str, delivery: SmsDelivery, error: str | None, *, owner_id: int | None = None
) -> bool:
    """Record whether an SMS arrived, and return whether that was new. With ``owner_id`` it must be that owner's."""
    values = (delivery.value, error and error[:MAX_ERROR_LENGTH], clock.now())
    return bool(await sql.execute(SAVE_REPORT, message_id, owner_id, *values))


@sql.transaction()
async def record_reply(
    phone: str, text: str, reply_id: str, *, owner_id: int | None = None, message_id: str | None = None
) -> bool:
    """Record what a guest answered, and return whether it was a word that stops or starts SMS.

    Without ``owner_id`` the service is shared: the answer is to the owner of ``message_id``, or else to all whose SMS
    to this number are stored, since the guest sees one sender.
    """
    digits = to_digits(phone)
    if not digits:
        return False
    if owner_id is not None:
        owner_ids = [owner_id]
    elif message_id is not None:
        owner_ids = [row["owner_id"] for row in await sql.fetch(SELECT_OWNER, message_id)]
    else:
        owner_ids = [row["owner_id"] for row in await sql.fetch(SELECT_OWNERS, [digits, f"+{digits}"])]
    return await opt_outs.record_reply(owner_ids, digits, text, reply_id)
