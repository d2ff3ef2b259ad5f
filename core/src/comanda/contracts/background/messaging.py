"""Outgoing messages: templates, and the transports that deliver them."""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

Channel = Literal["sms", "email", "push"]
CHANNELS: tuple[Channel, ...] = get_args(Channel)
# Every template has a text in it, for recipients whose language the template lacks.
FALLBACK_LANGUAGE: Final = "en"
BRACES: Final = re.compile(r"\{([a-z][a-z0-9_]*)\}|[{}]")


@dataclass(frozen=True, slots=True)
class Sender:
    """Who an e-mail says that it is from, and the address for answers; the address that sends it is the operator's."""

    name: str | None = None
    reply_to: str | None = None


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """A message to one recipient: ``to`` is a telephone number, an e-mail address or a device's push token.

    ``html`` is sent in addition to ``text``, never instead of it. ``id`` is assigned when the message is stored and
    stays the same for every attempt, so that receivers can deduplicate. A push message names the ``platform`` of its
    device, and may carry ``data`` for the app, which is not displayed. ``owner_id`` is whose message it is; a
    test of the operator has none. Only e-mail has a ``sender``.
    """

    channel: Channel
    to: str
    text: str
    subject: str | None = None
    html: str | None = None
    id: str | None = None
    platform: str | None = None
    data: Mapping[str, Any] | None = field(default=None, hash=False)
    owner_id: int | None = None
    sender: Sender = Sender()


@dataclass(frozen=True, slots=True)
class MessageText:
    """The text of a message in one language; ``{code}`` is replaced by the value of the field ``code``.

    Braces have no other use: there are no format specifications, attributes or escapes. E-mail and push show the
    ``subject``, SMS does not.
    """

    text: str
    subject: str | None = None

    def fields(self) -> set[str]:
        """Return the names of its fields. Raises ``ValueError`` for a brace that encloses no field name."""
        found = [match[1] for match in BRACES.finditer(f"{self.subject or ''}\n{self.text}")]
        if None in found:
            raise ValueError("A brace stands beside a field's name only, as in {code}.")
        return set(found)

    def filled(self, values: Mapping[str, object]) -> "MessageText":
        """Return the text with its fields replaced by values; braces within values are kept."""
        subject = None if self.subject is None else _filled(self.subject, values)
        return MessageText(_filled(self.text, values), subject)


def _filled(text: str, values: Mapping[str, object]) -> str:
    return BRACES.sub(lambda found: str(values[found[1]]) if found[1] else found[0], text)


@dataclass(frozen=True, slots=True, eq=False)
class MessageTemplate:
    """A kind of message with texts in several languages, which stores may override.

    ``name`` begins with the name of the plugin or subject, as in ``customers.code``; ``about`` tells owners who
    receives it, and when. ``texts`` are by BCP 47 tag such as ``pt`` or ``pt-BR``, English included. ``fields`` are
    the placeholders that a text may use, each with a sample value; every text must use those in ``required``, such as
    the code of a login message. ``is_editable`` is False for messages that no store sends, such as mails to owners.
    """

    name: str
    about: str
    channels: tuple[Channel, ...]
    texts: Mapping[str, MessageText]
    fields: Mapping[str, str]
    required: tuple[str, ...] = ()
    is_editable: bool = True


class Undeliverable(Exception):
    """Permanent failure, such as an invalid address; the message is not retried."""


class RecipientGone(Undeliverable):
    """The address no longer exists, such as the push token of an uninstalled app."""


def always_ready() -> bool:
    """Return True: ``is_ready`` of a transport that needs no settings."""
    return True


@dataclass(frozen=True, slots=True)
class Transport:
    """Delivers the messages of one channel through a provider.

    ``send`` returns when the message was accepted. It raises ``Undeliverable`` for a permanent failure,
    ``RecipientGone`` for an address that no longer exists, and any other exception for a failure to retry. It has 15
    seconds, and may receive an accepted message again if the acceptance could not be saved. ``is_ready`` returns
    whether its settings are complete. A transport that carries only some messages, such as those of owners with an
    account at its provider, has ``accepts``. Of the ready transports of a channel that accept a message, the one with
    the lowest ``priority`` sends it.
    """

    name: str
    channel: Channel
    send: Callable[[OutgoingMessage], Awaitable[None]]
    priority: int = 0
    is_ready: Callable[[], bool] = always_ready
    accepts: Callable[[OutgoingMessage], Awaitable[bool]] | None = None
