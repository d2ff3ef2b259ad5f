"""What other plugins may call: a message is stored with what causes it, and sent in the background."""

from collections.abc import Collection
from datetime import datetime

from comanda.messaging import Channel, Message, Undeliverable

from comanda_notifications import services

__all__ = ["Channel", "Message", "Undeliverable", "forget", "send"]


async def send(
    message: Message,
    *,
    owner_id: int,
    store_id: int | None = None,
    purpose: str,
    secret: bool = False,
    once: str | None = None,
    expires_at: datetime | None = None,
) -> int:
    """Store a message in the open transaction, to be sent once that has committed; return its id.

    ``purpose`` names what it is for, such as ``customers.code``. The text of a ``secret`` message, such as a code, is
    erased when it was sent or given up; in development the outbox keeps it. Of several messages with one ``once`` of
    one owner the first alone is stored, and its id returned. After ``expires_at`` the message is given up.
    Raises ``ValidationFailed`` for an address or a text that no message can have, by the fields ``to``, ``text``,
    ``subject``, ``html``; ``RateLimited`` where an address, or an owner's messages together, have had enough.
    """
    return await services.store(
        message,
        owner_id=owner_id,
        store_id=store_id,
        purpose=purpose,
        is_secret=secret,
        once_key=once,
        expires_at=expires_at,
    )


async def forget(addresses: Collection[str], *, owner_id: int) -> None:
    """Delete an owner's messages to these addresses in the open transaction, those still waiting to be sent too."""
    await services.forget(addresses, owner_id=owner_id)
