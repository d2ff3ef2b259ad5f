"""Message templates to guests about orders, and to owners about webhook endpoints."""

from collections.abc import Mapping
from typing import Final

from comanda.contracts import CHANNELS, MessageTemplate, MessageText

ORDER_FIELDS: Final = {"number": "18", "store": "Tasca da Ana", "link": "https://eat.example.com/t/Zk3v0pQ"}
ENDPOINT_FIELDS: Final = {"name": "Ana Moura", "endpoint_id": "12", "url": "https://hooks.example.com/in"}

SMS_LIMIT_FIELDS: Final = {"name": "Ana Moura", "limit": "500", "link": "https://eat.example.com/dashboard/sms-limits"}


def _create_order_template(message: str, about: str, texts: Mapping[str, MessageText]) -> MessageTemplate:
    return MessageTemplate(f"orders.{message}", about, CHANNELS, texts, ORDER_FIELDS)


ORDER_TEMPLATES: Final = (
    _create_order_template(
        "received",
        "To the guest, when an order was placed.",
        {
            "en": MessageText("{store} has your order {number}. Follow it here: {link}", "Order {number} at {store}"),
            "pt": MessageText(
                "{store} recebeu o seu pedido {number}. Acompanhe-o aqui: {link}", "Pedido {number} em {store}"
            ),
            "es": MessageText(
                "{store} ha recibido su pedido {number}. Sígalo aquí: {link}", "Pedido {number} en {store}"
            ),
            "fr": MessageText(
                "{store} a reçu votre commande {number}. Suivez-la ici : {link}", "Commande {number} chez {store}"
            ),
            "de": MessageText(
                "{store} hat Ihre Bestellung {number} erhalten. Hier können Sie sie verfolgen: {link}",
                "Bestellung {number} bei {store}",
            ),
            "ar": MessageText(
                "استلم {store} طلبك رقم {number}. تابعه هنا: {link}",
                "الطلب {number} لدى {store}",
            ),
        },
    ),
    _create_order_template(
        "ready",
        "To the guest, when an order is ready to be collected.",
        {
            "en": MessageText("Your order {number} is ready for collection at {store}.", "Order {number} is ready"),
            "pt": MessageText(
                "O seu pedido {number} está pronto para ser levantado em {store}.", "O pedido {number} está pronto"
            ),
            "pt-BR": MessageText(
                "Seu pedido {number} está pronto para retirada em {store}.", "O pedido {number} está pronto"
            ),
            "es": MessageText(
                "Su pedido {number} está listo para recoger en {store}.", "El pedido {number} está listo"
            ),
            "fr": MessageText(
                "Votre commande {number} est prête à être retirée chez {store}.", "La commande {number} est prête"
            ),
            "de": MessageText(
                "Ihre Bestellung {number} liegt bei {store} zur Abholung bereit.", "Bestellung {number} ist fertig"
            ),
            "ar": MessageText(
                "طلبك رقم {number} جاهز للاستلام من {store}.",
                "الطلب {number} جاهز",
            ),
        },
    ),
    _create_order_template(
        "on_its_way",
        "To the guest, when the driver sets out with an order.",
        {
            "en": MessageText("Your order {number} from {store} is on its way: {link}", "Order {number} is on its way"),
            "pt": MessageText(
                "O seu pedido {number} de {store} está a caminho: {link}", "O pedido {number} está a caminho"
            ),
            "es": MessageText(
                "Su pedido {number} de {store} está en camino: {link}", "El pedido {number} está en camino"
            ),
            "fr": MessageText(
                "Votre commande {number} de {store} est en route : {link}", "La commande {number} est en route"
            ),
            "de": MessageText(
                "Ihre Bestellung {number} von {store} ist unterwegs: {link}", "Bestellung {number} ist unterwegs"
            ),
            "ar": MessageText(
                "طلبك رقم {number} من {store} في الطريق إليك: {link}",
                "الطلب {number} في الطريق",
            ),
        },
    ),
    _create_order_template(
        "near",
        "To the guest, when the driver has come near.",
        {
            "en": MessageText(
                "The driver with your order {number} from {store} is almost there: {link}",
                "Order {number} is almost there",
            ),
            "pt": MessageText(
                "O estafeta com o seu pedido {number} de {store} está quase a chegar: {link}",
                "O pedido {number} está quase a chegar",
            ),
            "pt-BR": MessageText(
                "O entregador com o seu pedido {number} de {store} está quase chegando: {link}",
                "O pedido {number} está quase chegando",
            ),
            "es": MessageText(
                "El repartidor con su pedido {number} de {store} está a punto de llegar: {link}",
                "El pedido {number} está a punto de llegar",
            ),
            "fr": MessageText(
                "Le livreur de votre commande {number} de {store} est presque arrivé : {link}",
                "La commande {number} est presque arrivée",
            ),
            "de": MessageText(
                "Der Fahrer mit Ihrer Bestellung {number} von {store} ist gleich da: {link}",
                "Bestellung {number} ist gleich da",
            ),
            "ar": MessageText(
                "السائق الذي يحمل طلبك رقم {number} من {store} أوشك على الوصول: {link}",
                "الطلب {number} أوشك على الوصول",
            ),
        },
    ),
    _create_order_template(
        "delivered",
        "To the guest, when an order was delivered.",
        {
            "en": MessageText(
                "Your order {number} from {store} was delivered. Enjoy it!", "Order {number} was delivered"
            ),
            "pt": MessageText(
                "O seu pedido {number} de {store} foi entregue. Bom proveito!", "O pedido {number} foi entregue"
            ),
            "es": MessageText(
                "Su pedido {number} de {store} ha sido entregado. ¡Que lo disfrute!",
                "El pedido {number} ha sido entregado",
            ),
            "fr": MessageText(
                "Votre commande {number} de {store} a été livrée. Profitez-en bien !",
                "La commande {number} a été livrée",
            ),
            "de": MessageText(
                "Ihre Bestellung {number} von {store} wurde geliefert. Viel Freude damit!",
                "Bestellung {number} wurde geliefert",
            ),
            "ar": MessageText(
                "تم توصيل طلبك رقم {number} من {store}. نتمنى أن ينال إعجابك!",
                "تم توصيل الطلب {number}",
            ),
        },
    ),
    _create_order_template(
        "failed",
        "To the guest, when an order could not be delivered.",
        {
            "en": MessageText(
                "Your order {number} from {store} could not be delivered. See here how to reach us: {link}",
                "Order {number} could not be delivered",
            ),
            "pt": MessageText(
                "Não foi possível entregar o seu pedido {number} de {store}. Veja aqui como nos contactar: {link}",
                "Não foi possível entregar o pedido {number}",
            ),
            "es": MessageText(
                "No se ha podido entregar su pedido {number} de {store}. Vea aquí cómo contactarnos: {link}",
                "No se ha podido entregar el pedido {number}",
            ),
            "fr": MessageText(
                "Votre commande {number} de {store} n'a pas pu être livrée. Voyez ici comment nous joindre : {link}",
                "La commande {number} n'a pas pu être livrée",
            ),
            "de": MessageText(
                "Ihre Bestellung {number} von {store} konnte nicht geliefert werden. So erreichen Sie uns: {link}",
                "Bestellung {number} konnte nicht geliefert werden",
            ),
            "ar": MessageText(
                "تعذّر توصيل طلبك رقم {number} من {store}. للتواصل معنا: {link}",
                "تعذّر توصيل الطلب {number}",
            ),
        },
    ),
    _create_order_template(
        "cancelled",
        "To the guest, when an order was cancelled.",
        {
            "en": MessageText("Your order {number} at {store} was cancelled.", "Order {number} was cancelled"),
            "pt": MessageText("O seu pedido {number} em {store} foi cancelado.", "O pedido {number} foi cancelado"),
            "es": MessageText(
                "Su pedido {number} en {store} ha sido cancelado.", "El pedido {number} ha sido cancelado"
            ),
            "fr": MessageText(
                "Votre commande {number} chez {store} a été annulée.", "La commande {number} a été annulée"
            ),
            "de": MessageText(
                "Ihre Bestellung {number} bei {store} wurde storniert.", "Bestellung {number} wurde storniert"
            ),
            "ar": MessageText(
                "أُلغي طلبك رقم {number} لدى {store}.",
                "أُلغي الطلب {number}",
            ),
        },
    ),
)

ENDPOINT_FAILING: Final = MessageTemplate(
    "webhook_endpoint.failing",
    "To the owner, when a webhook endpoint has failed for half the time after which it is disabled.",
    ("email",),
    {
        "en": MessageText(
            "Hello {name},\n\nyour webhook endpoint {endpoint_id} ({url}) has failed {failure_count} times in a row.\n"
            "If this continues, we will stop sending to it. Its delivery log shows the responses.\n\n"
            "Everything it missed can be sent again once it works.\n",
            "One of your webhook endpoints keeps failing",
        ),
        "pt": MessageText(
            "Olá {name},\n\no seu endpoint de webhooks {endpoint_id} ({url}) falhou {failure_count} vezes seguidas.\n"
            "Se continuar assim, deixaremos de lhe enviar eventos. O registo de entregas mostra o que respondeu.\n\n"
            "Tudo o que perdeu pode ser enviado de novo assim que funcionar.\n",
            "Um dos seus endpoints de webhooks continua a falhar",
        ),
        "es": MessageText(
            "Hola, {name}:\n\nsu endpoint de webhooks {endpoint_id} ({url}) ha fallado {failure_count} veces "
            "seguidas.\nSi sigue así, dejaremos de enviarle eventos. El registro de entregas muestra qué respondió.\n\n"
            "Todo lo que se perdió podrá enviarse de nuevo cuando funcione.\n",
            "Uno de sus endpoints de webhooks sigue fallando",
        ),
        "fr": MessageText(
            "Bonjour {name},\n\nvotre endpoint de webhooks {endpoint_id} ({url}) a échoué {failure_count} fois de "
            "suite.\nSi cela continue, nous cesserons de lui envoyer des événements. Le journal des envois indique ce "
            "qu'il a répondu.\n\nTout ce qu'il a manqué pourra être renvoyé dès qu'il fonctionnera.\n",
            "Un de vos endpoints de webhooks échoue toujours",
        ),
        "de": MessageText(
            "Guten Tag {name},\n\nIhr Webhook-Endpunkt {endpoint_id} ({url}) hat {failure_count}-mal hintereinander "
            "versagt.\nWenn das so weitergeht, senden wir ihm nichts mehr. Was er geantwortet hat, steht im Protokoll "
            "der Zustellungen.\n\nAlles, was er verpasst hat, kann erneut gesendet werden, sobald er funktioniert.\n",
            "Einer Ihrer Webhook-Endpunkte versagt immer wieder",
        ),
        "ar": MessageText(
            "مرحبًا {name}،\n\n"
            "أخفقت نقطة نهاية الويب هوك {endpoint_id} ({url}) لديك {failure_count} مرة "
            "متتالية.\n"
            "إذا استمر ذلك فسنتوقف عن الإرسال إليها. يعرض سجل التسليم ردودها.\n\n"
            "يمكن إعادة إرسال كل ما "
            "فاتها حالما تعمل من جديد.\n",
            "إحدى نقاط نهاية الويب هوك لديك تخفق باستمرار",
        ),
    },
    {**ENDPOINT_FIELDS, "failure_count": "14"},
    is_editable=False,
)
ENDPOINT_DISABLED: Final = MessageTemplate(
    "webhook_endpoint.disabled",
    "To the owner, when a webhook endpoint was disabled because it had failed for too long.",
    ("email",),
    {
        "en": MessageText(
            "Hello {name},\n\nwe no longer send to your webhook endpoint {endpoint_id} ({url}) because it has failed "
            "for too long.\nResume it when it works again; everything it missed can then be sent again.\n",
            "One of your webhook endpoints was disabled",
        ),
        "pt": MessageText(
            "Olá {name},\n\ndeixámos de enviar eventos para o seu endpoint de webhooks {endpoint_id} ({url}): falhou "
            "durante demasiado tempo.\nReative-o quando voltar a funcionar; tudo o que perdeu pode então ser enviado "
            "de novo.\n",
            "Um dos seus endpoints de webhooks foi desativado",
        ),
        "es": MessageText(
            "Hola, {name}:\n\nya no enviamos eventos a su endpoint de webhooks {endpoint_id} ({url}): ha fallado "
            "durante demasiado tiempo.\nReactívelo cuando vuelva a funcionar; todo lo que se perdió podrá enviarse "
            "entonces de nuevo.\n",
            "Uno de sus endpoints de webhooks ha sido desactivado",
        ),
        "fr": MessageText(
            "Bonjour {name},\n\nnous n'envoyons plus rien à votre endpoint de webhooks {endpoint_id} ({url}) : il a "
            "échoué pendant trop longtemps.\nRéactivez-le quand il fonctionnera de nouveau ; tout ce qu'il a manqué "
            "pourra alors être renvoyé.\n",
            "Un de vos endpoints de webhooks a été désactivé",
        ),
        "de": MessageText(
            "Guten Tag {name},\n\nwir senden nichts mehr an Ihren Webhook-Endpunkt {endpoint_id} ({url}): Er hat zu "
            "lange versagt.\nSchalten Sie ihn wieder ein, sobald er funktioniert; alles, was er verpasst hat, kann "
            "dann erneut gesendet werden.\n",
            "Einer Ihrer Webhook-Endpunkte wurde abgeschaltet",
        ),
        "ar": MessageText(
            "مرحبًا {name}،\n\n"
            "لم نعد نرسل إلى نقطة نهاية الويب هوك {endpoint_id} ({url}) لأنها أخفقت مدة طويلة.\n"
            "أعد "
            "تفعيلها عندما تعمل من جديد؛ عندها يمكن إعادة إرسال كل ما فاتها.\n",
            "أُوقفت إحدى نقاط نهاية الويب هوك لديك",
        ),
    },
    ENDPOINT_FIELDS,
    is_editable=False,
)
ENDPOINT_GONE: Final = MessageTemplate(
    "webhook_endpoint.gone",
    "To the owner, when a webhook endpoint was disabled because it answered 410 Gone.",
    ("email",),
    {
        "en": MessageText(
            "Hello {name},\n\nwe no longer send to your webhook endpoint {endpoint_id} ({url}) because it answered "
            "410, which means that it is permanently gone.\nResume it if that was a mistake; everything it missed can "
            "then be sent again.\n",
            "One of your webhook endpoints was disabled",
        ),
        "pt": MessageText(
            "Olá {name},\n\ndeixámos de enviar eventos para o seu endpoint de webhooks {endpoint_id} ({url}): "
            "respondeu 410, ou seja, já não existe.\nReative-o se foi engano; tudo o que perdeu pode então ser enviado "
            "de novo.\n",
            "Um dos seus endpoints de webhooks foi desativado",
        ),
        "es": MessageText(
            "Hola, {name}:\n\nya no enviamos eventos a su endpoint de webhooks {endpoint_id} ({url}): respondió 410, "
            "es decir, ya no existe.\nReactívelo si fue un error; todo lo que se perdió podrá enviarse entonces de "
            "nuevo.\n",
            "Uno de sus endpoints de webhooks ha sido desactivado",
        ),
        "fr": MessageText(
            "Bonjour {name},\n\nnous n'envoyons plus rien à votre endpoint de webhooks {endpoint_id} ({url}) : il a "
            "répondu 410, c'est-à-dire qu'il n'existe plus.\nRéactivez-le si c'était une erreur ; tout ce qu'il a "
            "manqué pourra alors être renvoyé.\n",
            "Un de vos endpoints de webhooks a été désactivé",
        ),
        "de": MessageText(
            "Guten Tag {name},\n\nwir senden nichts mehr an Ihren Webhook-Endpunkt {endpoint_id} ({url}): Er hat mit "
            "410 geantwortet, es gibt ihn also nicht mehr.\nSchalten Sie ihn wieder ein, falls das ein Irrtum war; "
            "alles, was er verpasst hat, kann dann erneut gesendet werden.\n",
            "Einer Ihrer Webhook-Endpunkte wurde abgeschaltet",
        ),
        "ar": MessageText(
            "مرحبًا {name}،\n\n"
            "لم نعد نرسل إلى نقطة نهاية الويب هوك {endpoint_id} ({url}) لأنها أجابت بالرمز 410، أي "
            "أنها لم تعد موجودة.\n"
            "أعد تفعيلها إن كان ذلك خطأ؛ عندها يمكن إعادة إرسال كل ما فاتها.\n",
            "أُوقفت إحدى نقاط نهاية الويب هوك لديك",
        ),
    },
    ENDPOINT_FIELDS,
    is_editable=False,
)

SMS_LIMIT_NEAR: Final = MessageTemplate(
    "sms_limit.near",
    "To the owner, when four fifths of the monthly limit of SMS are used.",
    ("email",),
    {
        "en": MessageText(
            "Hello {name},\n\n80 % of your {limit} SMS of this month are used.\nAt the limit, only codes are sent by "
            "SMS until the month ends. Change the limit here: {link}\n",
            "80 % of your SMS of this month are used",
        ),
        "pt": MessageText(
            "Olá {name},\n\njá foram usados 80 % dos seus {limit} SMS deste mês.\nAo atingir o limite, até ao fim do "
            "mês só são enviados códigos por SMS. Altere o limite aqui: {link}\n",
            "Já foram usados 80 % dos seus SMS deste mês",
        ),
        "es": MessageText(
            "Hola, {name}:\n\nya se ha usado el 80 % de sus {limit} SMS de este mes.\nAl llegar al límite, hasta fin "
            "de mes solo se envían códigos por SMS. Cambie el límite aquí: {link}\n",
            "Se ha usado el 80 % de sus SMS de este mes",
        ),
        "fr": MessageText(
            "Bonjour {name},\n\n80 % de vos {limit} SMS de ce mois sont utilisés.\nUne fois la limite atteinte, seuls "
            "les codes sont envoyés par SMS jusqu'à la fin du mois. Modifiez la limite ici : {link}\n",
            "80 % de vos SMS de ce mois sont utilisés",
        ),
        "de": MessageText(
            "Guten Tag {name},\n\n80 % Ihrer {limit} SMS dieses Monats sind verbraucht.\nIst die Grenze erreicht, "
            "gehen bis Monatsende nur noch Codes per SMS hinaus. Hier ändern Sie die Grenze: {link}\n",
            "80 % Ihrer SMS dieses Monats sind verbraucht",
        ),
        "ar": MessageText(
            "مرحبًا {name}،\n\n"
            "استُخدم 80 % من رسائلك النصية لهذا الشهر، وحدّها {limit}.\nعند بلوغ الحد لا تُرسل حتى نهاية الشهر إلا "
            "الرموز. غيّر الحد هنا: {link}\n",
            "استُخدم 80 % من رسائلك النصية لهذا الشهر",
        ),
    },
    SMS_LIMIT_FIELDS,
    is_editable=False,
)
SMS_LIMIT_REACHED: Final = MessageTemplate(
    "sms_limit.reached",
    "To the owner, when the monthly limit of SMS is reached.",
    ("email",),
    {
        "en": MessageText(
            "Hello {name},\n\nyour limit of {limit} SMS for this month is reached.\nUntil the month ends, only codes "
            "are sent by SMS; other messages go by e-mail or push where possible. Change the limit here: {link}\n",
            "Your limit of SMS for this month is reached",
        ),
        "pt": MessageText(
            "Olá {name},\n\natingiu o seu limite de {limit} SMS para este mês.\nAté ao fim do mês só são enviados "
            "códigos por SMS; as outras mensagens seguem por e-mail ou push, se possível. Altere o limite aqui: "
            "{link}\n",
            "Atingiu o seu limite de SMS para este mês",
        ),
        "es": MessageText(
            "Hola, {name}:\n\nha alcanzado su límite de {limit} SMS para este mes.\nHasta fin de mes solo se envían "
            "códigos por SMS; los demás mensajes van por correo o push si es posible. Cambie el límite aquí: {link}\n",
            "Ha alcanzado su límite de SMS para este mes",
        ),
        "fr": MessageText(
            "Bonjour {name},\n\nvotre limite de {limit} SMS pour ce mois est atteinte.\nJusqu'à la fin du mois, seuls "
            "les codes sont envoyés par SMS ; les autres messages partent par e-mail ou push si possible. Modifiez la "
            "limite ici : {link}\n",
            "Votre limite de SMS pour ce mois est atteinte",
        ),
        "de": MessageText(
            "Guten Tag {name},\n\nIhre Grenze von {limit} SMS für diesen Monat ist erreicht.\nBis Monatsende gehen "
            "nur noch Codes per SMS hinaus, andere Nachrichten nach Möglichkeit per E-Mail oder Push. Hier ändern Sie "
            "die Grenze: {link}\n",
            "Ihre Grenze von SMS für diesen Monat ist erreicht",
        ),
        "ar": MessageText(
            "مرحبًا {name}،\n\n"
            "بلغتَ حدّ الرسائل النصية لهذا الشهر، وهو {limit}.\nحتى نهاية الشهر لا تُرسل إلا الرموز، وتُرسل الرسائل "
            "الأخرى بالبريد الإلكتروني أو الإشعارات إن أمكن. غيّر الحد هنا: {link}\n",
            "بلغتَ حدّ الرسائل النصية لهذا الشهر",
        ),
    },
    SMS_LIMIT_FIELDS,
    is_editable=False,
)

TEMPLATES: Final = (
    *ORDER_TEMPLATES,
    ENDPOINT_FAILING,
    ENDPOINT_DISABLED,
    ENDPOINT_GONE,
    SMS_LIMIT_NEAR,
    SMS_LIMIT_REACHED,
)
