"""Transports: SMTP, HTTP gateways, and the outbox in development mode."""

from functools import partial
from typing import Final

from comanda.contracts import CHANNELS, Transport

from comanda_notifications import settings
from comanda_notifications.transports import gateway, outbox, smtp

LOWEST_PRIORITY: Final = 1000

TRANSPORTS: Final = (
    Transport("smtp", "email", smtp.send, priority=100, is_ready=smtp.is_ready),
    *(
        Transport(
            f"{channel}_gateway", channel, gateway.send, priority=100, is_ready=partial(gateway.is_ready, channel)
        )
        for channel in gateway.CHANNELS
    ),
    *(
        Transport(f"{channel}_outbox", channel, outbox.send, priority=LOWEST_PRIORITY, is_ready=settings.is_development)
        for channel in CHANNELS
    ),
)
