"""Messages to people outside, and the transports that carry them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, get_args

Channel = Literal["sms", "email", "push"]
CHANNELS: tuple[Channel, ...] = get_args(Channel)


@dataclass(frozen=True, slots=True)
class Message:
    """What one person is told, and where: a telephone number, an e-mail address or a device's push token.

    ``html`` is the same for mail programs that show it, beside ``text`` and never instead of it. ``id`` is given when
    the message is stored and stays the same at each attempt, so that a receiver can tell a repetition.
    """

    channel: Channel
    to: str
    text: str
    subject: str | None = None
    html: str | None = None
    id: str | None = None


class Undeliverable(Exception):
    """This message will never arrive, such as one to an address that is none; trying again changes nothing."""


def always() -> bool:
    """Be ready at any time: the answer of a transport that needs no settings."""
    return True


@dataclass(frozen=True, slots=True)
class Transport:
    """Hands the messages of one channel to whoever delivers them.

    ``send`` returns when a message was accepted, raises ``Undeliverable`` for one that never will be, and anything else
    where a later attempt may succeed; it is given 15 seconds, and may be given a message again whose acceptance was
    not written down. ``is_ready`` tells whether its settings let it work at all. Of a channel's transports that are
    ready, the one with the lowest ``priority`` carries everything.
    """

    name: str
    channel: Channel
    send: Callable[[Message], Awaitable[None]]
    priority: int = 0
    is_ready: Callable[[], bool] = always
