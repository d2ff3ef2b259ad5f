"""The e-mail with the link to an invoice."""

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
