"""Queues in tests: their due rows are processed when a test says so."""

from comanda.contracts.background.queues import LeasedQueue
from comanda.platform.queue.consumer import QueueConsumer


async def process_queue(queue: LeasedQueue) -> int:
    """Process all due rows of a queue, as a worker would, and return their number."""
    async with queue.open_work() as work:
        return await QueueConsumer(queue, work).process_all_due()
