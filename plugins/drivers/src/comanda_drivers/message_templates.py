"""Templates of the messages that drivers, customers and owners receive."""

from typing import Final

from comanda.contracts import MessageTemplate, MessageText

# A phone may belong to drivers of several owners, so the text names none of them.
LOGIN_CODE: Final = MessageTemplate(
    "drivers.code",
    "To a driver who logs in, with the requested code.",
    ("sms",),
    {
        "en": MessageText(
            "{code} is your driver login code. It is valid for {minutes} minutes. Do not share it with anyone."
        ),
        "pt": MessageText(
            "{code} é o seu código para entrar como estafeta. É válido durante {minutes} minutos. Não o dê a ninguém."
        ),
        "pt-BR": MessageText(
            "{code} é o seu código para entrar como entregador. É válido por {minutes} minutos. Não o dê a ninguém."
        ),
        "es": MessageText(
            "{code} es su código para entrar como repartidor. Es válido durante {minutes} minutos. No se lo dé a nadie."
        ),
        "fr": MessageText(
            "{code} est votre code pour vous connecter comme livreur. Il est valable {minutes} minutes. "
            "Ne le donnez à personne."
        ),
        "de": MessageText(
            "{code} ist Ihr Code für die Anmeldung als Fahrer. Er gilt {minutes} Minuten. Geben Sie ihn niemandem."
        ),
        "ar": MessageText(
            "{code} هو رمز دخولك كسائق. صالح لمدة {minutes} دقيقة. لا تشاركه مع أحد.",
        ),
    },
    {"code": "834112", "minutes": "10"},
    required=("code",),
    is_editable=False,
)


PROOF_CODE: Final = MessageTemplate(
    "drivers.pod",
    "To the recipient of a delivery, with the code that the driver asks for at the door.",
    ("sms",),
    {
        "en": MessageText(
            "{code} is the delivery code for your order {number} from {store}. Give it to the driver at your door."
        ),
        "pt": MessageText("{code} é o código da sua encomenda {number} de {store}. Diga-o ao estafeta à sua porta."),
        "pt-BR": MessageText(
            "{code} é o código do seu pedido {number} de {store}. Informe-o ao entregador na sua porta."
        ),
        "es": MessageText("{code} es el código de su pedido {number} de {store}. Dígaselo al repartidor en su puerta."),
        "fr": MessageText(
            "{code} est le code de votre commande {number} de {store}. Donnez-le au livreur à votre porte."
        ),
        "de": MessageText(
            "{code} ist der Code Ihrer Bestellung {number} von {store}. Sagen Sie ihn dem Fahrer an der Tür."
        ),
        "ar": MessageText(
            "{code} هو رمز تسليم طلبك رقم {number} من {store}. أعطه للسائق عند بابك.",
        ),
    },
    {"code": "4821", "number": "18", "store": "Trattoria"},
    required=("code",),
)

DELIVERY_OFFERED: Final = MessageTemplate(
    "drivers.offer",
    "To a driver who is offered a delivery.",
    ("push",),
    {
        "en": MessageText("Order {number} from {store}. You have {seconds} seconds to accept.", "A delivery for you"),
        "pt": MessageText("Encomenda {number} de {store}. Tem {seconds} segundos para aceitar.", "Uma entrega para si"),
        "pt-BR": MessageText(
            "Pedido {number} de {store}. Você tem {seconds} segundos para aceitar.", "Uma entrega para você"
        ),
        "es": MessageText(
            "Pedido {number} de {store}. Tiene {seconds} segundos para aceptar.", "Una entrega para usted"
        ),
        "fr": MessageText("Commande {number} de {store}. Vous avez {seconds} secondes.", "Une livraison pour vous"),
        "de": MessageText("Bestellung {number} von {store}. Sie haben {seconds} Sekunden.", "Eine Lieferung für Sie"),
        "ar": MessageText(
            "الطلب {number} من {store}. لديك {seconds} ثانية للقبول.",
            "توصيلة لك",
        ),
    },
    {"number": "18", "store": "Trattoria", "seconds": "60"},
)

DELIVERY_ASSIGNED: Final = MessageTemplate(
    "drivers.assigned",
    "To a driver whom the store assigned a delivery.",
    ("push",),
    {
        "en": MessageText("Order {number} from {store} has been assigned to you.", "A delivery for you"),
        "pt": MessageText("A encomenda {number} de {store} é sua para entregar.", "Uma entrega para si"),
        "pt-BR": MessageText("O pedido {number} de {store} é seu para entregar.", "Uma entrega para você"),
        "es": MessageText("El pedido {number} de {store} es suyo para entregar.", "Una entrega para usted"),
        "fr": MessageText("La commande {number} de {store} est à livrer par vous.", "Une livraison pour vous"),
        "de": MessageText("Bestellung {number} von {store} liefern Sie aus.", "Eine Lieferung für Sie"),
        "ar": MessageText(
            "أُسند إليك الطلب {number} من {store}.",
            "توصيلة لك",
        ),
    },
    {"number": "18", "store": "Trattoria"},
)

DELIVERY_UNCLAIMED: Final = MessageTemplate(
    "drivers.unclaimed",
    "To the owner, if no driver accepted an offered delivery.",
    ("email",),
    {
        "en": MessageText(
            "Hello {name},\n\nNo driver accepted order {number} of {store}. Any driver can claim it now, or you can "
            "assign one yourself.\n",
            "No driver for order {number}",
        ),
        "pt": MessageText(
            "Olá {name},\n\nnenhum estafeta aceitou a encomenda {number} de {store}. Agora qualquer um a pode aceitar; "
            "também a pode atribuir.\n",
            "Sem estafeta para a encomenda {number}",
        ),
        "pt-BR": MessageText(
            "Olá {name},\n\nnenhum entregador aceitou o pedido {number} de {store}. Agora qualquer um pode aceitá-lo; "
            "você também pode atribuí-lo.\n",
            "Sem entregador para o pedido {number}",
        ),
        "es": MessageText(
            "Hola, {name}:\n\nningún repartidor aceptó el pedido {number} de {store}. Ahora cualquiera puede tomarlo; "
            "también puede asignarlo usted.\n",
            "Sin repartidor para el pedido {number}",
        ),
        "fr": MessageText(
            "Bonjour {name},\n\naucun livreur n'a accepté la commande {number} de {store}. Chacun peut la prendre "
            "maintenant ; vous pouvez aussi l'attribuer.\n",
            "Pas de livreur pour la commande {number}",
        ),
        "de": MessageText(
            "Guten Tag {name},\n\nkein Fahrer hat die Bestellung {number} von {store} angenommen. Jetzt kann jeder sie "
            "übernehmen; Sie können sie auch selbst zuteilen.\n",
            "Kein Fahrer für Bestellung {number}",
        ),
        "ar": MessageText(
            "مرحبًا {name}،\n\nلم يقبل أي سائق الطلب {number} من {store}. يمكن لأي سائق أخذه الآن، أو يمكنك إسناده "
            "بنفسك.\n",
            "لا سائق للطلب {number}",
        ),
    },
    {"name": "Ada", "number": "18", "store": "Trattoria"},
    is_editable=False,
)

TEMPLATES: Final = (LOGIN_CODE, PROOF_CODE, DELIVERY_OFFERED, DELIVERY_ASSIGNED, DELIVERY_UNCLAIMED)
