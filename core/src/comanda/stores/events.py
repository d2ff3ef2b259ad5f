"""Events of stores."""

from datetime import datetime

from comanda.contracts.background.events import Event
from comanda.contracts.orders.intake_status import State


class IntakeChanged(Event):
    """A store was set to take orders as usual, slowly or not at all. Not sent when that ends by itself at ``until``."""

    name = "store.intake_changed"
    scope = "restaurants:read"
    sample = {"restaurant_id": 7, "status": "paused", "delay_minutes": 0, "until": "2027-06-01T21:00:00+00:00"}

    restaurant_id: int
    status: State
    delay_minutes: int
    until: datetime | None
