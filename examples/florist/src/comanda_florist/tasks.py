"""Background tasks of flower shops."""

from comanda_florist.services import reminders


async def send_reminders() -> None:
    """Remind owners of occasions that are near."""
    await reminders.send_reminders()
