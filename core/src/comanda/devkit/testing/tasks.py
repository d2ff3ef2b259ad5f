"""Queues and tasks in tests: they run when a test says so."""

from comanda.contracts.background.queues import LeasedQueue
from comanda.platform import runtime
from comanda.platform.queue.consumer import QueueConsumer


async def run_task(name: str) -> None:
    """Run a task once, by its name, in this process. Raises ``LookupError`` for a name that no plugin registers."""
    task = runtime.registry().tasks.get(name)
    if task is None:
        raise LookupError(f"No installed plugin registers a task {name}.")
    await task.run()


async def process_queue(queue: LeasedQueue) -> int:
    """Process all due rows of a queue, as a worker would, and return their number."""
    async with queue.open_work() as work:
        return await QueueConsumer(queue, work).process_all_due()
