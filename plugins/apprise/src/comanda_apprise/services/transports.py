"""The transports: an owner's own service before the operator's."""

from functools import partial
from typing import Final

from comanda.contracts import Channel, OutgoingMessage, Transport

from comanda_apprise.services import client, sms_services
from comanda_apprise.settings import get_url

CHANNELS: Final[tuple[Channel, ...]] = ("sms", "push")


def is_ready(channel: Channel) -> bool:
    """Return whether the operator has set a channel's URL."""
    return get_url(channel) is not None


async def send(message: OutgoingMessage) -> None:
    """Send a message by the operator's URL. Raises ``Undeliverable`` and ``ServiceRefused``."""
    url = get_url(message.channel)
    if url is None:
        raise client.ServiceRefused(f"No service is configured for {message.channel}.")
    await client.send(url.get_secret_value(), message)


TRANSPORTS: Final = (
    Transport("sms_own_service", "sms", sms_services.send, priority=10, accepts=sms_services.has_service),
    *(
        Transport(f"{channel}_service", channel, send, priority=90, is_ready=partial(is_ready, channel))
        for channel in CHANNELS
    ),
)
