"""Messages to people: templates, and the transports that deliver them."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

Channel = Literal["sms", "email", "push"]
CHANNELS: tuple[Channel, ...] = get_args(Channel)
# What every template has a text in, for whoever reads none of its other languages.
FALLBACK_LANGUAGE: Final = "en"
BRACES: Final = re.compile(r"\{([a-z][a-z0-9_]*)\}|[{}]")


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """What one person is told, and where: a telephone number, an e-mail address or a device's push token.

    ``html`` is the same for mail programs that show it, beside ``text`` and never instead of it. ``id`` is given when
    the message is stored and stays the same at each attempt, so that a receiver can tell a repetition. A push message
    names the ``platform`` of its device, and may carry ``data`` for the app, which nobody is shown.
    """

    channel: Channel
    to: str
    text: str
    subject: str | None = None
    html: str | None = None
    id: str | None = None
    platform: str | None = None
    data: Mapping[str, Any] | None = field(default=None, hash=False)


@dataclass(frozen=True, slots=True)
class MessageText:
    """The words of a message in one language; ``{code}`` stands for the value of the field ``code``.

    A brace has no other use: there are no formats, no attributes, and no way to write one. E-mail and push show the
    ``subject``, an SMS does not.
    """

    text: str
    subject: str | None = None

    def fields(self) -> set[str]:
        """Return the names of its fields. Raises ``ValueError`` for a brace that belongs to none."""
        found = [match[1] for match in BRACES.finditer(f"{self.subject or ''}\n{self.text}")]
        if None in found:
            raise ValueError("A brace stands beside a field's name only, as in {code}.")
        return set(found)

    def filled(self, values: Mapping[str, object]) -> "MessageText":
        """Return the text with values in place of fields; fields within values are not filled in."""
        subject = None if self.subject is None else _filled(self.subject, values)
        return MessageText(_filled(self.text, values), subject)


def _filled(text: str, values: Mapping[str, object]) -> str:
    return BRACES.sub(lambda found: str(values[found[1]]) if found[1] else found[0], text)


@dataclass(frozen=True, slots=True, eq=False)
class MessageTemplate:
    """A message that is sent again and again, in several languages; stores may write their own texts for it.

    ``name`` begins with the plugin's or the subject's, as ``customers.code``; ``about`` tells owners who gets it, and
    when. ``texts`` are by language, a BCP 47 tag such as ``pt`` or ``pt-BR``, English among them. ``fields`` are what a
    text may name, each with a sample; those in ``required`` stand in every text, as a message with a code is nothing
    without it. ``is_editable`` is False for what no store sends, such as mails to owners.
    """

    name: str
    about: str
    channels: tuple[Channel, ...]
    texts: Mapping[str, MessageText]
    fields: Mapping[str, str]
    required: tuple[str, ...] = ()
    is_editable: bool = True


class Undeliverable(Exception):
    """This message will never arrive, such as one to an address that is none; trying again changes nothing."""


class RecipientGone(Undeliverable):
    """The address itself is no more, such as the push token of an app that was removed."""


def always_ready() -> bool:
    """Be ready at any time: the answer of a transport that needs no settings."""
    return True


@dataclass(frozen=True, slots=True)
class Transport:
    """Hands the messages of one channel to whoever delivers them.

    ``send`` returns when a message was accepted, raises ``Undeliverable`` for one that never will be, ``Gone`` for an
    address that is no more, and anything else where a later attempt may succeed; it is given 15 seconds, and may be
    given a message again whose acceptance was not written down. ``is_ready`` tells whether its settings let it work at
    all. Of a channel's transports that are ready, the one with the lowest ``priority`` carries everything.
    """

    name: str
    channel: Channel
    send: Callable[[OutgoingMessage], Awaitable[None]]
    priority: int = 0
    is_ready: Callable[[], bool] = always_ready
