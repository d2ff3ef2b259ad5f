"""Handlers of events."""

from typing import Final

from comanda.contracts import EventHandler

from comanda_florist.events import BouquetPromised
from comanda_florist.services import reminders

GIFT_MEMORY: Final = EventHandler("florist_memory", reminders.create_gift_occasions, (BouquetPromised,))
