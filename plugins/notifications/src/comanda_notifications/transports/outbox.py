"""The transport of development: a message stays in its table, where the outbox shows it."""

from comanda.contracts.messaging import OutgoingMessage


async def send(_message: OutgoingMessage) -> None:
    """Take a message, and leave it where it is."""
