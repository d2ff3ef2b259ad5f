"""Messages in tests: they are sent when a test says so, to nobody, and kept in memory."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from comanda.contracts.background.messaging import OutgoingMessage, always_ready
from comanda.devkit.testing.tasks import process_queue
from comanda.platform import runtime


@dataclass(slots=True)
class SentMessages:
    """The messages that were sent since the test began; calling it sends those that wait, and returns all."""

    messages: list[OutgoingMessage] = field(default_factory=list)

    async def __call__(self) -> list[OutgoingMessage]:
        """Send the messages that are due, and return all that were sent so far, oldest first."""
        registry = runtime.registry()
        # The queues of messages are those of the plugin that brings transports.
        senders = {registry.find_plugin("transport", each.name) for each in registry.transports}
        for queue in registry.queues:
            if registry.find_plugin("task", queue.name) in senders:
                await process_queue(queue)
        return list(self.messages)

    async def record(self, message: OutgoingMessage) -> None:
        """Keep a message instead of sending it."""
        self.messages.append(message)


@asynccontextmanager
async def record_messages() -> AsyncIterator[SentMessages]:
    """Keep messages in memory while the block runs, whatever transports are installed."""
    sent, before = SentMessages(), runtime.current()
    transports = tuple(replace(each, send=sent.record, is_ready=always_ready) for each in before.registry.transports)
    runtime.use(replace(before, registry=replace(before.registry, transports=transports)))
    try:
        # Those of earlier tests are none of this one's.
        await sent()
        sent.messages.clear()
        yield sent
    finally:
        runtime.use(before)
