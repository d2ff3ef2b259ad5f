"""What the page of an order needs to offer push messages."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.contracts import Record, Section
from comanda_notifications.api import has_news_to_come
from pydantic import BaseModel

from comanda_web_push.services import vapid_key


class PushOffer(BaseModel):
    """The key with which a browser subscribes; present while something is still to come about the order."""

    push_key: str | None = None


async def load_offers(_owner_id: int, order_ids: Sequence[int]) -> Mapping[int, Mapping[str, Any]]:
    """Return the key for each order."""
    key = await vapid_key.get_public_key()
    return {order_id: {"push_key": key} for order_id in order_ids}


SECTIONS: Final = (Section("web_push_offer", Record.TRACKING_PAGE, PushOffer, load_offers, has_news_to_come),)
