"""Texts of messages to the customers of resellers: invitations, and invoices."""

from typing import Final

from comanda.contracts import MessageTemplate, MessageText

FIELDS: Final = {
    "seller": "Northwind Systems",
    "number": "INV-000017",
    "amount": "29.00 EUR",
    "due": "19 January 2030",
    "link": "https://comanda.example/reseller/invoices/17",
}

INVOICE_ISSUED: Final = MessageTemplate(
    name="reseller.invoice_issued",
    about="To a customer of a reseller, with a new invoice that is to be paid by hand.",
    channels=("email",),
    texts={
        "en": MessageText(
            "Here is your invoice {number} of {seller} over {amount}, due on {due}.\n\n{link}",
            "Invoice {number} of {seller}",
        ),
        "de": MessageText(
            "Hier ist Ihre Rechnung {number} von {seller} über {amount}, fällig am {due}.\n\n{link}",
            "Rechnung {number} von {seller}",
        ),
        "es": MessageText(
            "Aquí tiene su factura {number} de {seller} por {amount}, con vencimiento el {due}.\n\n{link}",
            "Factura {number} de {seller}",
        ),
        "fr": MessageText(
            "Voici votre facture {number} de {seller} d'un montant de {amount}, à régler avant le {due}.\n\n{link}",
            "Facture {number} de {seller}",
        ),
        "pt": MessageText(
            "Segue a sua fatura {number} de {seller}, no valor de {amount}, com vencimento em {due}.\n\n{link}",
            "Fatura {number} de {seller}",
        ),
        "ar": MessageText(
            "هذه فاتورتك رقم {number} من {seller} بمبلغ {amount}، وتستحق في {due}.\n\n{link}",
            "الفاتورة {number} من {seller}",
        ),
    },
    fields=FIELDS,
    required=("number", "link"),
    is_editable=False,
)

INVOICE_DUE: Final = MessageTemplate(
    name="reseller.invoice_due",
    about="To a customer of a reseller, before an unpaid invoice is due.",
    channels=("email",),
    texts={
        "en": MessageText(
            "Your invoice {number} of {seller} over {amount} is due on {due}.\n\n{link}",
            "Invoice {number} is due on {due}",
        ),
        "de": MessageText(
            "Ihre Rechnung {number} von {seller} über {amount} ist am {due} fällig.\n\n{link}",
            "Rechnung {number} ist am {due} fällig",
        ),
        "es": MessageText(
            "Su factura {number} de {seller} por {amount} vence el {due}.\n\n{link}",
            "La factura {number} vence el {due}",
        ),
        "fr": MessageText(
            "Votre facture {number} de {seller} d'un montant de {amount} est à régler avant le {due}.\n\n{link}",
            "Facture {number} à régler avant le {due}",
        ),
        "pt": MessageText(
            "A sua fatura {number} de {seller}, no valor de {amount}, vence em {due}.\n\n{link}",
            "A fatura {number} vence em {due}",
        ),
        "ar": MessageText(
            "تستحق فاتورتك رقم {number} من {seller} بمبلغ {amount} في {due}.\n\n{link}",
            "الفاتورة {number} تستحق في {due}",
        ),
    },
    fields=FIELDS,
    required=("number", "link"),
    is_editable=False,
)

INVOICE_OVERDUE: Final = MessageTemplate(
    name="reseller.invoice_overdue",
    about="To a customer of a reseller, whose invoice is overdue.",
    channels=("email",),
    texts={
        "en": MessageText(
            "Your invoice {number} of {seller} over {amount} was due on {due} and is not paid yet.\n\n{link}",
            "Invoice {number} is overdue",
        ),
        "de": MessageText(
            "Ihre Rechnung {number} von {seller} über {amount} war am {due} fällig und ist noch nicht bezahlt."
            "\n\n{link}",
            "Rechnung {number} ist überfällig",
        ),
        "es": MessageText(
            "Su factura {number} de {seller} por {amount} venció el {due} y aún no está pagada.\n\n{link}",
            "La factura {number} está vencida",
        ),
        "fr": MessageText(
            "Votre facture {number} de {seller} d'un montant de {amount} était à régler avant le {due} et n'est pas "
            "encore payée.\n\n{link}",
            "La facture {number} est en retard",
        ),
        "pt": MessageText(
            "A sua fatura {number} de {seller}, no valor de {amount}, venceu em {due} e ainda não foi paga.\n\n{link}",
            "A fatura {number} está em atraso",
        ),
        "ar": MessageText(
            "استحقت فاتورتك رقم {number} من {seller} بمبلغ {amount} في {due} ولم تُدفع بعد.\n\n{link}",
            "الفاتورة {number} متأخرة السداد",
        ),
    },
    fields=FIELDS,
    required=("number", "link"),
    is_editable=False,
)

INVITATION: Final = MessageTemplate(
    name="reseller.invitation",
    about="The owner of an account that a reseller has created, with a link to set its password.",
    channels=("email",),
    texts={
        "en": MessageText(
            "Hello {name},\n\n{reseller} has created an account for you. Choose a password within {days} days:\n\n"
            "{link}\n\nIf you did not expect this, ignore this message.",
            "Your account with {reseller}",
        ),
        "de": MessageText(
            "Guten Tag {name},\n\n{reseller} hat ein Konto für Sie angelegt. Wählen Sie innerhalb von {days} Tagen ein "
            "Passwort:\n\n{link}\n\nFalls Sie das nicht erwartet haben, ignorieren Sie diese Nachricht.",
            "Ihr Konto bei {reseller}",
        ),
        "es": MessageText(
            "Hola, {name}:\n\n{reseller} ha creado una cuenta para usted. Elija una contraseña en un plazo de {days} "
            "días:\n\n{link}\n\nSi no esperaba este mensaje, ignórelo.",
            "Su cuenta con {reseller}",
        ),
        "fr": MessageText(
            "Bonjour {name},\n\n{reseller} a créé un compte pour vous. Choisissez un mot de passe dans les {days} "
            "jours :\n\n{link}\n\nSi vous n'attendiez pas ce message, ignorez-le.",
            "Votre compte chez {reseller}",
        ),
        "pt": MessageText(
            "Olá, {name},\n\n{reseller} criou uma conta para si. Escolha uma palavra-passe no prazo de {days} dias:\n\n"
            "{link}\n\nSe não esperava esta mensagem, ignore-a.",
            "A sua conta na {reseller}",
        ),
        "ar": MessageText(
            "مرحبًا {name}،\n\n"
            "أنشأ {reseller} حسابًا لك. اختر كلمة مرور خلال {days} أيام:\n\n{link}\n\n"
            "إذا لم تكن "
            "تتوقع هذه الرسالة فتجاهلها.",
            "حسابك لدى {reseller}",
        ),
    },
    fields={
        "name": "Tasca da Rosa",
        "reseller": "Norte Digital",
        "link": "https://comanda.example/reseller/invitations/kX3…",
        "days": "7",
    },
    required=("link",),
    is_editable=False,
)

TEMPLATES: Final = (INVITATION, INVOICE_ISSUED, INVOICE_DUE, INVOICE_OVERDUE)
