"""What Twilio reports on an owner's SMS, and what guests answered: requests signed with the owner's account."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl

from comanda.basics import BadRequest, NotFound
from comanda_notifications.api import record_sms_reply, record_sms_report

from comanda_apprise.services import sms_services, twilio

SIGNATURE_HEADER: Final = "x-twilio-signature"
MAX_BODY_BYTES: Final = 32 * 1024
MAX_FIELDS: Final = 100
MAX_ID_LENGTH: Final = 100
# The states that are final; the others say that a message is on its way.
DELIVERED: Final = frozenset({"delivered", "read"})
FAILED: Final = frozenset({"failed", "undelivered"})


async def receive_report(owner_id: int, message_id: str, headers: Mapping[str, str], body: bytes) -> None:
    """Record whether an SMS arrived, if the report is final. Raises ``NotFound`` unless the account has signed it."""
    form = await _read_signed_form(owner_id, twilio.get_report_url(owner_id, message_id), headers, body)
    status, code = form.get("MessageStatus"), form.get("ErrorCode", "")
    if status in DELIVERED | FAILED:
        error = f"Twilio reports the error {code}." if code.isdigit() and status in FAILED else None
        await record_sms_report(owner_id, message_id, is_delivered=status in DELIVERED, error=error)


async def receive_reply(owner_id: int, headers: Mapping[str, str], body: bytes) -> None:
    """Record what a guest answered. Raises ``NotFound`` unless the account has signed it."""
    form = await _read_signed_form(owner_id, twilio.get_reply_url(owner_id), headers, body)
    id = form.get("MessageSid", "")[:MAX_ID_LENGTH]
    if id and form.get("From"):
        await record_sms_reply(owner_id, form["From"], form.get("Body", ""), f"twilio:{id}")


async def _read_signed_form(owner_id: int, url: str, headers: Mapping[str, str], body: bytes) -> dict[str, str]:
    if len(body) > MAX_BODY_BYTES:
        raise BadRequest("The body is larger than a report.")
    try:
        form = dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=MAX_FIELDS))
    except ValueError as error:
        raise BadRequest("The body is no form.") from error
    account = await sms_services.find_twilio_account(owner_id)
    if account is None or not twilio.is_signed(account, url, form, headers.get(SIGNATURE_HEADER, "")):
        raise NotFound
    return form
