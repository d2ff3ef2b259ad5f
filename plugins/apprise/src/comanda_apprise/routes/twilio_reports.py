"""Reports of Twilio on the SMS of owners with an account there."""

from typing import Final

from comanda.contracts import PUBLIC, Call, FileUpload, Routes

from comanda_apprise.services import twilio_reports

routes = Routes("Messages", callers=PUBLIC, is_documented=False)

FORM: Final = FileUpload(content_types=("application/x-www-form-urlencoded",))
TWILIO: Final = "/sms-service/{ownerId}/twilio"
REPORTS_PER_MINUTE: Final = 3000


@routes.post(f"{TWILIO}/reports/{{messageId}}", status=204, upload=FORM)
async def receive_report(call: Call, owner_id: int, message_id: str) -> None:
    """Receive whether a message arrived."""
    await call.count(f"twilio:{call.client_network}", REPORTS_PER_MINUTE, is_exact=False)
    await twilio_reports.receive_report(owner_id, message_id, call.headers, call.body)


@routes.post(f"{TWILIO}/replies", status=204, upload=FORM)
async def receive_reply(call: Call, owner_id: int) -> None:
    """Receive what a guest answered."""
    await call.count(f"twilio:{call.client_network}", REPORTS_PER_MINUTE, is_exact=False)
    await twilio_reports.receive_reply(owner_id, call.headers, call.body)
