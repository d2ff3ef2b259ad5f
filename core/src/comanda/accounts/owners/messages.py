"""E-mails to owners about their accounts, sent with the first e-mail transport that is ready."""

import asyncio
from collections.abc import Mapping
from typing import Final

import structlog

from comanda.contracts.background.messaging import (
    FALLBACK_LANGUAGE,
    MessageTemplate,
    MessageText,
    OutgoingMessage,
    Sender,
    Transport,
)
from comanda.platform import runtime

log = structlog.get_logger(__name__)

SEND_TIMEOUT_SECONDS: Final = 15
# Kept until they are done, as the event loop itself does not.
_sending: set[asyncio.Task[None]] = set()

PASSWORD_RESET: Final = MessageTemplate(
    "account.password_reset",
    "To an owner who has forgotten the password, with the link to choose a new one.",
    ("email",),
    {
        "en": MessageText(
            "Hello {name},\n\nsomebody, probably you, has asked for a new password for your {brand} account. Choose it "
            "here within 30 minutes:\n\n{link}\n\nIf it was not you, ignore this message: your password stays as it "
            "is.\n",
            "Choose a new password",
        ),
        "pt": MessageText(
            "Olá {name},\n\nalguém, provavelmente você, pediu uma nova palavra-passe para a sua conta {brand}. "
            "Escolha-a aqui nos próximos 30 minutos:\n\n{link}\n\nSe não foi você, ignore esta mensagem: a sua "
            "palavra-passe mantém-se.\n",
            "Escolha uma nova palavra-passe",
        ),
        "es": MessageText(
            "Hola, {name}:\n\nalguien, probablemente usted, ha pedido una contraseña nueva para su cuenta de {brand}. "
            "Elíjala aquí en los próximos 30 minutos:\n\n{link}\n\nSi no ha sido usted, ignore este mensaje: su "
            "contraseña no cambia.\n",
            "Elija una contraseña nueva",
        ),
        "fr": MessageText(
            "Bonjour {name},\n\nquelqu'un, sans doute vous, a demandé un nouveau mot de passe pour votre compte "
            "{brand}. Choisissez-le ici dans les 30 minutes :\n\n{link}\n\nSi ce n'était pas vous, ignorez ce "
            "message : votre mot de passe ne change pas.\n",
            "Choisissez un nouveau mot de passe",
        ),
        "de": MessageText(
            "Guten Tag {name},\n\njemand, vermutlich Sie, hat ein neues Passwort für Ihr Konto bei {brand} "
            "angefordert. Wählen Sie es innerhalb von 30 Minuten hier:\n\n{link}\n\nWenn Sie das nicht waren, "
            "ignorieren Sie diese Nachricht: Ihr Passwort bleibt, wie es ist.\n",
            "Wählen Sie ein neues Passwort",
        ),
        "ar": MessageText(
            "مرحبًا {name}،\n\n"
            "طلب أحدهم، وعلى الأرجح أنت، كلمة مرور جديدة لحسابك في {brand}. اخترها هنا خلال 30 دقيقة:\n\n{link}\n\n"
            "إن لم تكن أنت من طلب ذلك فتجاهل هذه الرسالة: ستبقى كلمة مرورك كما هي.\n",
            "اختر كلمة مرور جديدة",
        ),
    },
    {"name": "Ana Moura", "brand": "Comanda", "link": "https://orders.example/sign-in/reset/1aBc"},
    required=("link",),
    is_editable=False,
)


def has_email() -> bool:
    """Return whether e-mails can be sent."""
    return _find_transport() is not None


def send_email(
    template: MessageTemplate, to: str, values: Mapping[str, object], languages: list[str], sender: Sender
) -> None:
    """Send an e-mail in the background, in the first of the languages that the template has.

    The caller does not wait, so that the time of an answer says nothing about whether there was an e-mail to send.
    """
    task = asyncio.create_task(_send(template, to, values, languages, sender))
    _sending.add(task)
    task.add_done_callback(_sending.discard)


async def _send(
    template: MessageTemplate, to: str, values: Mapping[str, object], languages: list[str], sender: Sender
) -> None:
    transport = _find_transport()
    if transport is None:
        return
    text = _choose_text(template, languages).filled(values)
    try:
        async with asyncio.timeout(SEND_TIMEOUT_SECONDS):
            await transport.send(OutgoingMessage("email", to, text.text, text.subject, sender=sender))
    except Exception as error:
        log.warning("account_email_not_sent", template=template.name, error=str(error))


def _choose_text(template: MessageTemplate, languages: list[str]) -> MessageText:
    for language in languages:
        for tag in (language, language.partition("-")[0]):
            if tag in template.texts:
                return template.texts[tag]
    return template.texts[FALLBACK_LANGUAGE]


def _find_transport() -> Transport | None:
    return next(
        (
            one
            for one in runtime.registry().transports
            if one.channel == "email" and one.accepts is None and one.is_ready()
        ),
        None,
    )
