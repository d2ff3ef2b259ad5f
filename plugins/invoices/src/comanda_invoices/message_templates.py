"""The e-mails with the link to an invoice, and with the receipt of an order."""

from typing import Final

from comanda.contracts import MessageTemplate, MessageText

INVOICE_READY: Final = MessageTemplate(
    "invoices.ready",
    "To guests who asked for an invoice: the link to it.",
    ("email",),
    {
        "en": MessageText(
            "Your invoice {number} is ready: {link}\n\nPrint or save it: the link works for 30 days.\n\n{store}\n",
            "Invoice {number} of {store}",
        ),
        "pt": MessageText(
            "A sua fatura {number} está pronta: {link}\n\nImprima-a ou guarde-a: a ligação é válida durante 30 dias."
            "\n\n{store}\n",
            "Fatura {number} de {store}",
        ),
        "es": MessageText(
            "Su factura {number} está lista: {link}\n\nImprímala o guárdela: el enlace es válido durante 30 días."
            "\n\n{store}\n",
            "Factura {number} de {store}",
        ),
        "fr": MessageText(
            "Votre facture {number} est prête : {link}\n\nImprimez-la ou enregistrez-la : le lien est valable 30 jours."
            "\n\n{store}\n",
            "Facture {number} de {store}",
        ),
        "de": MessageText(
            "Ihre Rechnung {number} ist fertig: {link}\n\nDrucken oder speichern Sie sie: Der Link gilt 30 Tage."
            "\n\n{store}\n",
            "Rechnung {number} von {store}",
        ),
        "ar": MessageText(
            "فاتورتك {number} جاهزة: {link}\n\nيمكنك طباعة الفاتورة أو حفظ نسخة: الرابط صالح 30 يومًا.\n\n{store}\n",
            "الفاتورة {number} من {store}",
        ),
    },
    {"store": "Tasca do Mar", "number": "INV-000017", "link": "https://orders.example/invoice/3f9a"},
)

RECEIPT: Final = MessageTemplate(
    "invoices.receipt",
    "To guests who asked for the receipt of an order: what it came to, and how it was paid.",
    ("email",),
    {
        "en": MessageText(
            "Your receipt of order {number}\n\n{receipt}\n\nYour order: {link}\n\n{store}\n",
            "Receipt of order {number} at {store}",
        ),
        "pt": MessageText(
            "O seu recibo do pedido {number}\n\n{receipt}\n\nO seu pedido: {link}\n\n{store}\n",
            "Recibo do pedido {number} em {store}",
        ),
        "es": MessageText(
            "Su recibo del pedido {number}\n\n{receipt}\n\nSu pedido: {link}\n\n{store}\n",
            "Recibo del pedido {number} en {store}",
        ),
        "fr": MessageText(
            "Votre reçu de la commande {number}\n\n{receipt}\n\nVotre commande : {link}\n\n{store}\n",
            "Reçu de la commande {number} chez {store}",
        ),
        "de": MessageText(
            "Ihr Beleg der Bestellung {number}\n\n{receipt}\n\nIhre Bestellung: {link}\n\n{store}\n",
            "Beleg der Bestellung {number} bei {store}",
        ),
        "ar": MessageText(
            "إيصال طلبك رقم {number}\n\n{receipt}\n\nطلبك: {link}\n\n{store}\n",
            "إيصال الطلب {number} من {store}",
        ),
    },
    {
        "store": "Tasca do Mar",
        "number": "18",
        "receipt": "Tasca do Mar\n\n2 x Soup: €20.00\nTotal: €20.00\nCash: €20.00",
        "link": "https://orders.example/t/3f9a",
    },
)
