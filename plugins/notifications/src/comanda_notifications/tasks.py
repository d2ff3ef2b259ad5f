"""Background tasks of notifications."""

from datetime import timedelta

from comanda.basics import clock
from comanda.platform.db import sql

from comanda_notifications import settings
from comanda_notifications.services import devices, order_devices

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
    """Delete messages finished before the retention period, with their attempts, and devices that receive nothing more.

    Outside of development mode, texts of secret messages that development mode kept are erased too.
    """
    before = clock.now() - timedelta(days=settings.get_settings().keep_days)
    if not settings.is_development():
        await sql.execute(CLEAR_LEFTOVER_TEXTS)
    # In batches, each in its own short transaction, so that locks are not held for seconds.
    while await sql.execute(DELETE_FINISHED_MESSAGES, before, BATCH_SIZE) == BATCH_SIZE:
        pass
    await devices.delete_inactive_devices(BATCH_SIZE)
    await order_devices.delete_devices_of_ended_orders(BATCH_SIZE)
