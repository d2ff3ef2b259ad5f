"""E-mail over SMTP, one connection for each message."""

import ssl
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from comanda import clock
from comanda.contracts.messaging import OutgoingMessage, Undeliverable

from comanda_notifications.settings import address_of, current, is_loopback

if TYPE_CHECKING:
    from aiosmtplib import SMTPRecipientsRefused

TIMEOUT_SECONDS: Final = 12.0
PORTS: Final = {"smtp": 587, "smtps": 465}


def is_ready() -> bool:
    """Tell whether a mail server is set up."""
    return current().smtp_url is not None


async def send(message: OutgoingMessage) -> None:
    """Hand a message to the mail server.

    Raises ``Undeliverable`` where the server refuses the recipient or the message for good. A refusal of ourselves, our
    sender or our password is the operator's to mend, and raised as what it is.
    """
    # Imported only now, as it takes a tenth of a second that no other command should wait for.
    import aiosmtplib  # noqa: PLC0415

    try:
        await aiosmtplib.send(_mail(message), **_connection())
    except aiosmtplib.SMTPRecipientsRefused as error:
        _judge(error)
        raise
    except aiosmtplib.SMTPDataError as error:
        if error.code >= 500:
            raise Undeliverable(f"The mail server refuses the message: {error.code} {error.message}") from error
        raise
    except aiosmtplib.SMTPNotSupported as error:
        raise Undeliverable("The mail server cannot take such an address.") from error


def _judge(error: "SMTPRecipientsRefused") -> None:
    """Raise ``Undeliverable`` if the refusal is final; 4xx means another time."""
    [refused] = error.recipients
    if refused.code >= 500:
        raise Undeliverable(f"The mail server refuses the address: {refused.code} {refused.message}") from error


def _connection() -> dict[str, Any]:
    url = current().smtp_url
    assert url is not None  # noqa: S101 - is_ready has seen to it
    parts = urlsplit(url.get_secret_value())
    is_local = is_loopback(parts.hostname)
    # A password goes over no line that others can read; a server without one may have no TLS.
    has_to_encrypt = parts.scheme == "smtp" and bool(parts.password) and not is_local
    return {
        "hostname": parts.hostname,
        "port": parts.port or PORTS[parts.scheme],
        "username": unquote(parts.username) if parts.username else None,
        "password": unquote(parts.password) if parts.password else None,
        "use_tls": parts.scheme == "smtps",
        "start_tls": True if has_to_encrypt else False if parts.scheme == "smtps" else None,
        "tls_context": ssl.create_default_context(),
        "timeout": TIMEOUT_SECONDS,
    }


def _mail(message: OutgoingMessage) -> EmailMessage:
    sender = address_of(current().email_from or "")
    made = EmailMessage()
    try:
        made["To"] = Address(addr_spec=message.to)
    except Exception as error:  # the parser has errors of several kinds, and plain ones too
        raise Undeliverable("No mail can go to such an address.") from error
    made["From"] = sender
    made["Subject"] = message.subject or ""
    made["Date"] = format_datetime(clock.now())
    # The same at each attempt, so that a mailbox that has it already can tell.
    made["Message-ID"] = f"<{message.id}@{sender.domain}>"
    made["Auto-Submitted"] = "auto-generated"
    made.set_content(message.text)
    if message.html:
        made.add_alternative(message.html, subtype="html")
    return made
