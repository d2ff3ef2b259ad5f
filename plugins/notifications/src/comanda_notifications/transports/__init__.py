"""The transports that this plugin brings: a mail server, HTTP gateways, and in development the outbox."""

from functools import partial
from typing import Final

from comanda.contracts.messaging import CHANNELS, Transport

from comanda_notifications import settings
from comanda_notifications.transports import gateway, outbox, smtp

LAST: Final = 1000

TRANSPORTS: Final = (
    Transport("smtp", "email", smtp.send, priority=100, is_ready=smtp.is_ready),
    *(
        Transport(
            f"{channel}_gateway", channel, gateway.send, priority=100, is_ready=partial(gateway.is_ready, channel)
        )
        for channel in gateway.CHANNELS
    ),
    *(
        Transport(f"{channel}_outbox", channel, outbox.send, priority=LAST, is_ready=settings.is_development)
        for channel in CHANNELS
    ),
)
