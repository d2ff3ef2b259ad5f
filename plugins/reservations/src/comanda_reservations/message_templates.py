"""The message to waiting guests whose table is ready."""

from typing import Final

from comanda.contracts import MessageTemplate, MessageText

TABLE_READY: Final = MessageTemplate(
    "reservations.table_ready",
    "To guests on the waitlist, when their table is ready.",
    ("sms",),
    {
        "en": MessageText("Your table at {store} is ready. Not coming? {link}"),
        "pt": MessageText("A sua mesa em {store} está pronta. Não vem? {link}"),
        "pt-BR": MessageText("Sua mesa em {store} está pronta. Não vem? {link}"),
        "es": MessageText("Su mesa en {store} está lista. ¿No viene? {link}"),
        "fr": MessageText("Votre table chez {store} est prête. Vous ne venez pas ? {link}"),
        "de": MessageText("Ihr Tisch bei {store} ist frei. Kommen Sie nicht? {link}"),
        "ar": MessageText("طاولتك في {store} جاهزة. لن تأتي؟ {link}"),
    },
    {"store": "Tasca da Ana", "link": "https://eat.example.com/reservations/waitlist/18?expires=1&signature=x"},
)
