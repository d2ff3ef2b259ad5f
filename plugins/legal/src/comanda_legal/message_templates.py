"""The e-mail that acknowledges a withdrawal."""

from typing import Final

from comanda.contracts import MessageTemplate, MessageText

ACKNOWLEDGEMENT: Final = MessageTemplate(
    "legal.withdrawal",
    "To people who withdraw from a contract: what they stated, with date and time.",
    ("email",),
    {
        "en": MessageText(
            "{store} has received your statement that you withdraw from a contract.\n\n"
            "Reference: {reference}\nReceived: {submitted_at}\n\n"
            "Your statement:\nName: {name}\nContract: {contract}\nWithdrawn: {items}\nE-mail: {email}\n"
            "Phone: {phone}\n\nKeep this message. The store will contact you about what follows.\n\n{store}\n",
            "Your withdrawal {reference} at {store}",
        ),
        "pt": MessageText(
            "{store} recebeu a sua declaração de que resolve um contrato.\n\n"
            "Referência: {reference}\nRecebida: {submitted_at}\n\n"
            "A sua declaração:\nNome: {name}\nContrato: {contract}\nAbrange: {items}\nE-mail: {email}\n"
            "Telefone: {phone}\n\nGuarde esta mensagem. A loja entrará em contacto consigo sobre os próximos passos."
            "\n\n{store}\n",
            "A sua livre resolução {reference} em {store}",
        ),
        "es": MessageText(
            "{store} ha recibido su declaración de que desiste de un contrato.\n\n"
            "Referencia: {reference}\nRecibida: {submitted_at}\n\n"
            "Su declaración:\nNombre: {name}\nContrato: {contract}\nAbarca: {items}\nCorreo electrónico: {email}\n"
            "Teléfono: {phone}\n\nGuarde este mensaje. El establecimiento se pondrá en contacto con usted para los "
            "siguientes pasos.\n\n{store}\n",
            "Su desistimiento {reference} en {store}",
        ),
        "fr": MessageText(
            "{store} a reçu votre déclaration de rétractation d'un contrat.\n\n"
            "Référence : {reference}\nReçue : {submitted_at}\n\n"
            "Votre déclaration :\nNom : {name}\nContrat : {contract}\nPortée : {items}\nE-mail : {email}\n"
            "Téléphone : {phone}\n\nConservez ce message. L'établissement vous contactera pour la suite."
            "\n\n{store}\n",
            "Votre rétractation {reference} chez {store}",
        ),
        "de": MessageText(
            "{store} hat Ihre Erklärung erhalten, dass Sie einen Vertrag widerrufen.\n\n"
            "Kennzeichen: {reference}\nEingegangen: {submitted_at}\n\n"
            "Ihre Erklärung:\nName: {name}\nVertrag: {contract}\nUmfang: {items}\nE-Mail: {email}\n"
            "Telefon: {phone}\n\nBewahren Sie diese Nachricht auf. Das Geschäft meldet sich bei Ihnen, wie es "
            "weitergeht.\n\n{store}\n",
            "Ihr Widerruf {reference} bei {store}",
        ),
        # One line each: the checks take the letter of an escape for a part of the word that follows.
        "ar": MessageText(
            "تلقى {store} إقرارك بالانسحاب من عقد.\n\n"
            "المرجع: {reference}\n"
            "وقت الاستلام: {submitted_at}\n\n"
            "إقرارك:\n"
            "الاسم: {name}\n"
            "العقد: {contract}\n"
            "ما يشمله: {items}\n"
            "البريد الإلكتروني: {email}\n"
            "الهاتف: {phone}\n\n"
            "احتفظ بهذه الرسالة. سيتواصل معك المتجر بشأن الخطوات التالية.\n\n{store}\n",
            "انسحابك {reference} لدى {store}",
        ),
    },
    {
        "store": "Loja da Ria",
        "reference": "W-7KQ2M9XA",
        "submitted_at": "28 Nov 2026, 21:15 (Europe/Lisbon)",
        "name": "Ada Costa",
        "contract": "42",
        "items": "The whole contract",
        "email": "ada@example.com",
        "phone": "+351912345678",
    },
    required=("reference", "submitted_at", "name", "contract", "items", "email"),
)
