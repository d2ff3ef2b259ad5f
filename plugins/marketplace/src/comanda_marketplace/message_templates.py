"""Texts of messages to developers and to owners who pay for apps."""

from typing import Final

from comanda.contracts import MessageTemplate, MessageText

APP_DECISION: Final = MessageTemplate(
    "marketplace.app_decision",
    "To a developer, when an app was approved, rejected or taken off the list.",
    ("email",),
    {
        "en": MessageText("Your app {app} was reviewed. {decision}", "Your app {app}"),
        "pt": MessageText("A sua aplicação {app} foi analisada. {decision}", "A sua aplicação {app}"),
        "es": MessageText("Su aplicación {app} ha sido revisada. {decision}", "Su aplicación {app}"),
        "fr": MessageText("Votre application {app} a été examinée. {decision}", "Votre application {app}"),
        "de": MessageText("Ihre App {app} wurde geprüft. {decision}", "Ihre App {app}"),
        "ar": MessageText(
            "تمت مراجعة تطبيقك {app}. {decision}",
            "تطبيقك {app}",
        ),
    },
    {"app": "Loyalty Cards", "decision": "It is listed now, and every owner can install it."},
    is_editable=False,
)

PAYMENT_FAILED: Final = MessageTemplate(
    "marketplace.payment_failed",
    "To an owner, when the wallet does not cover the next period of an app.",
    ("email",),
    {
        "en": MessageText(
            "Your wallet does not cover {amount} {currency} for the app {app}. We try again until {until}. Top up your "
            "wallet to keep the app.",
            "Payment for {app} failed",
        ),
        "pt": MessageText(
            "A sua carteira não cobre {amount} {currency} para a aplicação {app}. Tentamos de novo até {until}. "
            "Carregue a carteira para manter a aplicação.",
            "O pagamento de {app} falhou",
        ),
        "es": MessageText(
            "Su monedero no cubre {amount} {currency} para la aplicación {app}. Lo intentaremos de nuevo hasta el "
            "{until}. Recargue su monedero para conservar la aplicación.",
            "El pago de {app} ha fallado",
        ),
        "fr": MessageText(
            "Votre portefeuille ne couvre pas {amount} {currency} pour l'application {app}. Nous réessayons jusqu'au "
            "{until}. Rechargez votre portefeuille pour conserver l'application.",
            "Le paiement de {app} a échoué",
        ),
        "de": MessageText(
            "Ihr Guthaben deckt {amount} {currency} für die App {app} nicht. Wir versuchen es bis zum {until} erneut. "
            "Laden Sie Ihr Wallet auf, um die App zu behalten.",
            "Die Zahlung für {app} ist fehlgeschlagen",
        ),
        "ar": MessageText(
            "لا تغطي محفظتك مبلغ {amount} {currency} لتطبيق {app}. سنحاول مرة أخرى حتى {until}. اشحن محفظتك للاحتفاظ "
            "بالتطبيق.",
            "تعذّر الدفع مقابل {app}",
        ),
    },
    {"amount": "9.90", "currency": "EUR", "app": "Loyalty Cards", "until": "2026-12-01"},
    is_editable=False,
)
