"""The receipts of prepayments, by e-mail."""

from typing import Final

from comanda.contracts import MessageTemplate, MessageText

GIFT_CARD_SOLD: Final = MessageTemplate(
    "payments.gift_card",
    "To guests who have bought a gift card on the store's page: its code, which is their receipt too.",
    ("email",),
    {
        "en": MessageText(
            "Thank you for buying a gift card of {store}.\n\n"
            "Code: {code}\n"
            "Amount: {amount}\n\n"
            "Keep the code like cash: whoever has it can pay with it. You can read it again here: {link}\n",
            "Your gift card of {store}",
        ),
        "pt": MessageText(
            "Obrigado por comprar um cartão-oferta de {store}.\n\n"
            "Código: {code}\n"
            "Montante: {amount}\n\n"
            "Guarde o código como dinheiro: quem o tiver pode pagar com ele. Pode voltar a lê-lo aqui: {link}\n",
            "O seu cartão-oferta de {store}",
        ),
        "es": MessageText(
            "Gracias por comprar una tarjeta regalo de {store}.\n\n"
            "Código: {code}\n"
            "Importe: {amount}\n\n"
            "Guarde el código como dinero en efectivo: quien lo tenga puede pagar con él. Puede volver a "
            "leerlo aquí: {link}\n",
            "Su tarjeta regalo de {store}",
        ),
        "fr": MessageText(
            "Merci d'avoir acheté une carte cadeau de {store}.\n\n"
            "Code : {code}\n"
            "Montant : {amount}\n\n"
            "Conservez le code comme de l'argent liquide : quiconque l'a peut payer avec. Vous pouvez le "
            "relire ici : {link}\n",
            "Votre carte cadeau de {store}",
        ),
        "de": MessageText(
            "Vielen Dank für den Kauf einer Geschenkkarte von {store}.\n\n"
            "Code: {code}\n"
            "Betrag: {amount}\n\n"
            "Bewahren Sie den Code wie Bargeld auf: Wer ihn hat, kann damit bezahlen. Hier können Sie ihn "
            "wieder lesen: {link}\n",
            "Ihre Geschenkkarte von {store}",
        ),
        "ar": MessageText(
            "شكرًا لشرائك بطاقة هدية من {store}.\n\n"
            "الرمز: {code}\n"
            "المبلغ: {amount}\n\n"
            "احتفظ بالرمز كما تحتفظ بالنقود: فكل من لديه الرمز يمكنه الدفع به. يمكنك قراءته مجددًا هنا: "
            "{link}\n",
            "بطاقة هديتك من {store}",
        ),
    },
    {
        "store": "Tasca do Mar",
        "amount": "€50.00",
        "code": "GPTK-7Q2M-X9RC-4HWD",
        "link": "https://orders.example/gift-cards/12?expires=1",
    },
    required=("code",),
)
DEPOSIT_PAID: Final = MessageTemplate(
    "payments.deposit",
    "To guests who have paid the deposit of a reservation: their receipt.",
    ("email",),
    {
        "en": MessageText(
            "We have received your deposit of {amount}.\n\n{description}\n\nYour reservation: {link}\n\n{store}\n",
            "Receipt of your deposit at {store}",
        ),
        "pt": MessageText(
            "Recebemos o seu sinal de {amount}.\n\n{description}\n\nA sua reserva: {link}\n\n{store}\n",
            "Recibo do seu sinal em {store}",
        ),
        "es": MessageText(
            "Hemos recibido su anticipo de {amount}.\n\n{description}\n\nSu reserva: {link}\n\n{store}\n",
            "Recibo de su anticipo en {store}",
        ),
        "fr": MessageText(
            "Nous avons reçu votre acompte de {amount}.\n\n{description}\n\nVotre réservation : {link}\n\n{store}\n",
            "Reçu de votre acompte chez {store}",
        ),
        "de": MessageText(
            "Wir haben Ihre Anzahlung von {amount} erhalten.\n\n"
            "{description}\n\n"
            "Ihre Reservierung: {link}\n\n"
            "{store}\n",
            "Quittung Ihrer Anzahlung bei {store}",
        ),
        "ar": MessageText(
            "استلمنا عربونك بمبلغ {amount}.\n\n{description}\n\nحجزك: {link}\n\n{store}\n",
            "إيصال عربونك لدى {store}",
        ),
    },
    {
        "store": "Tasca do Mar",
        "amount": "€40.00",
        "description": "Deposit: 14 March 2026, 19:30",
        "link": "https://orders.example/reservations/12?expires=1",
    },
)
