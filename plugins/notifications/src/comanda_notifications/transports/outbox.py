"""The transport of development mode: messages stay in the database, where the outbox shows them."""

from comanda.contracts import OutgoingMessage


async def send(_message: OutgoingMessage) -> None:
    """Accept a message without sending it."""
