"""E-mail over SMTP, one connection for each message."""

import ssl
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote, urlsplit

from comanda.basics import LazyModule, clock
from comanda.contracts import OutgoingMessage, Undeliverable

from comanda_notifications.settings import get_settings, is_loopback, parse_sender

if TYPE_CHECKING:
    import aiosmtplib
else:
    # Its import takes a tenth of a second, which would slow down every command.
    aiosmtplib = LazyModule("aiosmtplib")

TIMEOUT_SECONDS: Final = 12.0
PORTS: Final = {"smtp": 587, "smtps": 465}


def is_ready() -> bool:
    """Return whether a mail server is configured."""
    return get_settings().smtp_url is not None


async def send(message: OutgoingMessage) -> None:
    """Send a message by the mail server.

    Raises ``Undeliverable`` if the server rejects the recipient or the message permanently. Rejections of the client,
    the sender or the password are configuration errors and raised unchanged.
    """
    try:
        await aiosmtplib.send(_to_mail(message), **_get_connection_options())
    except aiosmtplib.SMTPRecipientsRefused as error:
        _raise_if_permanent(error)
        raise
    except aiosmtplib.SMTPDataError as error:
        if error.code >= 500:
            raise Undeliverable(f"The mail server refuses the message: {error.code} {error.message}") from error
        raise
    except aiosmtplib.SMTPNotSupported as error:
        raise Undeliverable("The mail server does not support this address.") from error


def _raise_if_permanent(error: "aiosmtplib.SMTPRecipientsRefused") -> None:
    """Raise ``Undeliverable`` for a permanent rejection; 4xx is temporary."""
    [refused] = error.recipients
    if refused.code >= 500:
        raise Undeliverable(f"The mail server refuses the address: {refused.code} {refused.message}") from error


def _get_connection_options() -> dict[str, Any]:
    url = get_settings().smtp_url
    if url is None:
        raise RuntimeError("No mail server is configured.")
    parts = urlsplit(url.get_secret_value())
    is_local = is_loopback(parts.hostname)
    # A password is only sent encrypted; without one, TLS is optional.
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


def _to_mail(message: OutgoingMessage) -> EmailMessage:
    sender = parse_sender(get_settings().email_from or "")
    name = " ".join((message.sender.name or sender.display_name).split())
    mail = EmailMessage()
    try:
        mail["To"] = Address(addr_spec=message.to)
    except Exception as error:  # the parser has errors of several kinds, and plain ones too
        raise Undeliverable("The address is not a valid e-mail address.") from error
    mail["From"] = Address(name, sender.username, sender.domain)
    if message.sender.reply_to:
        mail["Reply-To"] = message.sender.reply_to
    mail["Subject"] = message.subject or ""
    mail["Date"] = format_datetime(clock.now())
    # The same for each attempt, so that mailboxes can detect duplicates.
    mail["Message-ID"] = f"<{message.id}@{sender.domain}>"
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(message.text)
    if message.html:
        mail.add_alternative(message.html, subtype="html")
    return mail
