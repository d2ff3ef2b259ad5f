"""What happens by the clock: old messages are forgotten, devices nobody is logged in on, secrets left over."""

from datetime import timedelta

from comanda import clock
from comanda.db import sql

from comanda_notifications import settings
from comanda_notifications.services import devices

BATCH_SIZE = 1000

DELETE_FINISHED_MESSAGES = """
    DELETE FROM notifications_message WHERE (id, owner_id) IN (
        SELECT id, owner_id FROM notifications_message WHERE finished_at < $1 LIMIT $2)
"""
CLEAR_LEFTOVER_TEXTS = """
    UPDATE notifications_message SET text = NULL, html = NULL, subject = NULL, data = NULL
    WHERE is_secret AND text IS NOT NULL AND status <> 'pending'
"""


async def prune() -> None:
    """Forget messages that were finished longer ago than the settings say, with their attempts.

    Outside of development the texts of secret messages go too, which development has left.
    """
    before = clock.now() - timedelta(days=settings.get_settings().keep_days)
    if not settings.is_development():
        await sql.execute(CLEAR_LEFTOVER_TEXTS)
    # In chunks, each its own short transaction: a day's worth at once would hold its locks for seconds.
    while await sql.execute(DELETE_FINISHED_MESSAGES, before, BATCH_SIZE) == BATCH_SIZE:
        pass
    await devices.delete_inactive_devices(BATCH_SIZE)
