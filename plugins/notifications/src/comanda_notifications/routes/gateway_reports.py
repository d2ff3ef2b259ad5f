"""Reports of the operator's SMS gateway: whether messages arrived, and what guests answered."""

from typing import Final

from comanda.contracts import PUBLIC, Call, Routes, Unvalidated

from comanda_notifications.schemas import DeliveryReportBody, GuestReplyBody
from comanda_notifications.services import delivery_reports
from comanda_notifications.services.gateway_signature import check_request

routes = Routes("Messages", callers=PUBLIC)

REPORTS_PER_MINUTE: Final = 3000


@routes.post("/messages/gateway/reports", status=204)
async def receive_delivery_report(call: Call, body: Unvalidated[DeliveryReportBody]) -> None:
    """Receive whether a message arrived, signed by the gateway that took it; only the first report counts."""
    await _admit(call)
    report = body.validated()
    await delivery_reports.record_report(report.id, report.status, report.error)


@routes.post("/messages/gateway/replies", status=204)
async def receive_reply(call: Call, body: Unvalidated[GuestReplyBody]) -> None:
    """Receive what a guest answered, signed by the gateway: STOP ends the SMS to the guest, START resumes them."""
    id = await _admit(call)
    reply = body.validated()
    await delivery_reports.record_reply(reply.from_, reply.text, f"gateway:{id}", message_id=reply.id)


async def _admit(call: Call) -> str:
    await call.count(f"sms-gateway:{call.client_network}", REPORTS_PER_MINUTE, is_exact=False)
    return check_request(call.headers, call.get_bytes())
