"""The sales channels of a storefront."""

from dataclasses import replace
from typing import Final

from comanda.menu import PriceChannel
from comanda.orders import OrderChannel, OrderLimits

ORDER_LIMITS: Final = OrderLimits(lines=40, quantity=30)
# Both channels have the same audience: an idempotency key used in one finds its order in the other.
STOREFRONT_CHANNEL: Final = OrderChannel(
    "storefront", "storefront", ORDER_LIMITS, keeps_hours=True, collection_only=True, is_anonymous=True
)
AGENT_CHANNEL: Final = replace(STOREFRONT_CHANNEL, source="mcp", price_channel=PriceChannel.AGENT)
