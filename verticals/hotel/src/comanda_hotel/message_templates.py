"""The message to guests who still have to pay something for their stay."""

from typing import Final

from comanda.contracts import MessageTemplate, MessageText

PAYMENT_REQUEST: Final = MessageTemplate(
    "hotel.payment_request",
    "To guests with a late charge or a no-show fee: where they pay it.",
    ("email",),
    {
        "en": MessageText(
            "Please pay {amount} for your stay at {store}.\n\n{description}\n\nPay here: {link}\n",
            "Payment for your stay at {store}",
        ),
        "pt": MessageText(
            "Por favor, pague {amount} pela sua estadia em {store}.\n\n{description}\n\nPagar aqui: {link}\n",
            "Pagamento da sua estadia em {store}",
        ),
        "es": MessageText(
            "Le rogamos que pague {amount} por su estancia en {store}.\n\n{description}\n\nPagar aquí: {link}\n",
            "Pago de su estancia en {store}",
        ),
        "fr": MessageText(
            "Merci de régler {amount} pour votre séjour chez {store}.\n\n{description}\n\nPayer ici : {link}\n",
            "Paiement de votre séjour chez {store}",
        ),
        "de": MessageText(
            "Bitte zahlen Sie {amount} für Ihren Aufenthalt bei {store}.\n\n{description}\n\nHier bezahlen: {link}\n",
            "Zahlung für Ihren Aufenthalt bei {store}",
        ),
        "ar": MessageText(
            "يُرجى دفع {amount} عن إقامتك في {store}.\n\n{description}\n\nللدفع عبر هذا الرابط: {link}\n",
            "دفع إقامتك في {store}",
        ),
    },
    {
        "store": "Casa do Rio",
        "amount": "€12.50",
        "description": "Late charge: order 48",
        "link": "https://orders.example/stays/12?expires=1",
    },
    required=("link",),
)
