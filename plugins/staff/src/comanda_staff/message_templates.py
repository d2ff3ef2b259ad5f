"""Message templates of staff."""

from typing import Final

from comanda.contracts import MessageTemplate, MessageText

PIN_PAUSED: Final = MessageTemplate(
    "staff.pin_paused",
    "To the owner, when PIN login is paused in a store after too many wrong PINs.",
    ("email",),
    {
        "en": MessageText(
            "Hello {name},\n\n{count} wrong PINs were entered at {store} within an hour. To keep anyone from guessing "
            "a PIN, PIN login is paused there until {until} UTC. Login by e-mail and password still works.\n\n"
            "If this was not your staff, give them longer PINs and check who has access to the devices.\n",
            "PIN login is paused at {store}",
        ),
        "pt": MessageText(
            "Olá {name},\n\nem {store} foram introduzidos {count} PIN errados numa hora. Para que ninguém adivinhe um, "
            "a entrada por PIN está suspensa até {until} UTC. A entrada por e-mail e palavra-passe continua a "
            "funcionar.\n\nSe não foi a sua equipa, dê-lhe PIN mais longos e veja quem tem acesso aos aparelhos.\n",
            "A entrada por PIN está suspensa em {store}",
        ),
        "es": MessageText(
            "Hola, {name}:\n\nen {store} se han introducido {count} PIN incorrectos en una hora. Para que nadie "
            "adivine uno, la entrada con PIN queda en pausa hasta las {until} UTC. La entrada con correo y contraseña "
            "sigue funcionando.\n\nSi no ha sido su personal, déle PIN más largos y mire quién tiene acceso a los "
            "dispositivos.\n",
            "La entrada con PIN está en pausa en {store}",
        ),
        "fr": MessageText(
            "Bonjour {name},\n\nchez {store}, {count} codes PIN erronés ont été saisis en une heure. Pour que personne "
            "n'en devine un, la connexion par PIN y est suspendue jusqu'à {until} UTC. La connexion par e-mail et mot "
            "de passe fonctionne toujours.\n\nSi ce n'était pas votre personnel, donnez-lui des PIN plus longs et "
            "voyez qui a accès aux appareils.\n",
            "La connexion par PIN est suspendue chez {store}",
        ),
        "de": MessageText(
            "Guten Tag {name},\n\nbei {store} wurden in einer Stunde {count} falsche PINs eingegeben. Damit niemand "
            "eine errät, ist die Anmeldung mit PIN dort bis {until} UTC ausgesetzt. Mit E-Mail und Passwort kann man "
            "sich weiterhin anmelden.\n\nWar das nicht Ihr Personal, dann geben Sie ihm längere PINs, und sehen Sie "
            "nach, wer an die Geräte kommt.\n",
            "Die Anmeldung mit PIN ist bei {store} ausgesetzt",
        ),
        "ar": MessageText(
            "مرحبًا {name}،\n\nأُدخل {count} رمز PIN خاطئ في {store} خلال ساعة. ولئلا يخمّن أحد رمزًا، أُوقف الدخول "
            "برمز PIN هناك حتى {until} بالتوقيت العالمي UTC. ولا يزال الدخول بالبريد الإلكتروني وكلمة المرور "
            "متاحًا.\n\nإن لم يكن ذلك من موظفيك فامنحهم رموز PIN أطول وتحقق ممن يمكنه الوصول إلى الأجهزة.\n",
            "أُوقف الدخول برمز PIN في {store}",
        ),
    },
    {"name": "Ana Moura", "store": "Tasca da Ana", "count": "30", "until": "2026-03-14 19:30"},
)
