"""The metrics of queues."""

from collections.abc import Iterable

from comanda.contracts.background.queues import LeasedQueue
from comanda.platform.observability import QUEUE_DEAD, QUEUE_OLDEST_SECONDS, QUEUE_OVERDUE_SECONDS, QUEUE_WAITING
from comanda.platform.queue.leases import measure_queue


async def measure_queues(queues: Iterable[LeasedQueue]) -> None:
    """Measure queues and update their metrics."""
    for queue in queues:
        state = await measure_queue(queue.table)
        QUEUE_WAITING.labels(queue.name).set(state.waiting)
        QUEUE_OLDEST_SECONDS.labels(queue.name).set(state.oldest_seconds)
        QUEUE_OVERDUE_SECONDS.labels(queue.name).set(state.overdue_seconds)
        QUEUE_DEAD.labels(queue.name).set(state.dead)
