"""The transport of development mode: messages stay in the database, where the outbox shows them."""

from comanda.messaging import Message


async def send(_message: Message) -> None:
    """Accept a message without sending it."""
