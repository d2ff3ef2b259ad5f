"""Message templates of customers."""

from typing import Final

from comanda.contracts import MessageTemplate, MessageText

VERIFICATION_CODE: Final = MessageTemplate(
    "customers.code",
    "To a customer who logs in or confirms a phone or e-mail, with the code that they requested.",
    ("sms", "email"),
    {
        "en": MessageText(
            "{code} is your code for {store}. It is valid for {minutes} minutes. Do not share it.",
            "Your code for {store}",
        ),
        "pt": MessageText(
            "{code} é o seu código para {store}. É válido durante {minutes} minutos. Não o dê a ninguém.",
            "O seu código para {store}",
        ),
        "es": MessageText(
            "{code} es su código para {store}. Es válido durante {minutes} minutos. No se lo dé a nadie.",
            "Su código para {store}",
        ),
        "fr": MessageText(
            "{code} est votre code pour {store}. Il est valable {minutes} minutes. Ne le donnez à personne.",
            "Votre code pour {store}",
        ),
        "de": MessageText(
            "{code} ist Ihr Code für {store}. Er gilt {minutes} Minuten. Geben Sie ihn niemandem.",
            "Ihr Code für {store}",
        ),
        "ar": MessageText(
            "{code} هو رمزك لدى {store}. صالح لمدة {minutes} دقيقة. لا تشاركه مع أحد.",
            "رمزك لدى {store}",
        ),
    },
    {"code": "834112", "store": "Tasca da Ana", "minutes": "10"},
    required=("code",),
)
