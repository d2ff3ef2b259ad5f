"""Messages to developers about decisions on their apps."""

from comanda_notifications import api as notifications

from comanda_marketplace.message_templates import APP_DECISION
from comanda_marketplace.models import AppStatus
from comanda_marketplace.records.apps import App
from comanda_marketplace.services.apps.owner_contacts import get_contact

DECISIONS = {
    AppStatus.APPROVED: "It is listed now, and every owner can install it.",
    AppStatus.REJECTED: "It was not accepted: {reason}",
    AppStatus.DELISTED: "It was taken off the list. Nobody new can install it; installed ones keep working.",
}


async def send_decision(app: App) -> None:
    """Send a decision to the developer by e-mail, in the open transaction."""
    contact = await get_contact(app.developer_id)
    text = DECISIONS[app.status].format(reason=app.rejection_reason)
    await notifications.send_template(
        APP_DECISION.name,
        to=app.contact_email or contact.email,
        channel="email",
        values={"app": app.name, "decision": text},
        owner_id=app.developer_id,
    )
