"""Message templates of wallets."""

from typing import Final

from comanda.contracts import MessageTemplate, MessageText

LOW_BALANCE: Final = MessageTemplate(
    "wallet.low_balance",
    "To the owner, when a charge took the wallet's balance below the owner's threshold.",
    ("email",),
    {
        "en": MessageText(
            "Hello {name},\n\nthe balance of your wallet is {balance} {currency}, below the {threshold} {currency} "
            "that you have set.\nTop it up, so that apps and subscriptions can go on.\n",
            "Your wallet is running low",
        ),
        "pt": MessageText(
            "Olá {name},\n\no saldo da sua carteira é de {balance} {currency}, abaixo dos {threshold} {currency} que "
            "definiu.\nCarregue-a, para que as aplicações e as subscrições possam continuar.\n",
            "O saldo da sua carteira está baixo",
        ),
        "es": MessageText(
            "Hola, {name}:\n\nel saldo de su monedero es de {balance} {currency}, por debajo de los {threshold} "
            "{currency} que ha fijado.\nRecárguelo para que las aplicaciones y las suscripciones puedan continuar.\n",
            "El saldo de su monedero es bajo",
        ),
        "fr": MessageText(
            "Bonjour {name},\n\nle solde de votre portefeuille est de {balance} {currency}, en dessous des {threshold} "
            "{currency} que vous avez fixés.\nRechargez-le pour que les applications et les abonnements puissent "
            "continuer.\n",
            "Le solde de votre portefeuille est bas",
        ),
        "de": MessageText(
            "Guten Tag {name},\n\ndas Guthaben Ihres Wallets beträgt {balance} {currency} und liegt damit unter den "
            "{threshold} {currency}, die Sie festgelegt haben.\nLaden Sie es auf, damit Apps und Abonnements "
            "weiterlaufen.\n",
            "Ihr Guthaben geht zur Neige",
        ),
        "ar": MessageText(
            "مرحبًا {name}،\n\n"
            "رصيد محفظتك {balance} {currency}، وهو أقل من الحد الذي عيّنته: {threshold} "
            "{currency}.\n"
            "اشحنها لتستمر التطبيقات والاشتراكات.\n",
            "رصيد محفظتك منخفض",
        ),
    },
    {"name": "Ana Moura", "balance": "4.20", "threshold": "10.00", "currency": "EUR"},
    is_editable=False,
)
