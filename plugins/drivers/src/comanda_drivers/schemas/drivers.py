"""Schemas of drivers."""

from datetime import datetime
from typing import Annotated

from comanda.contracts import Body, Id, Name, NullableStoreId, ShortText, example
from pydantic import BaseModel, Field

from comanda_drivers.records.drivers import DriverLocation

PhoneText = Annotated[ShortText, Field(max_length=50)]


class DriverBody(Body):
    """A driver to create: for one store, or without ``restaurant_id`` for all of the owner's stores.

    A phone number without country code is completed with the store's country.
    """

    model_config = example({"name": "Rui Costa", "phone": "+351913456789"})

    name: Name
    phone: PhoneText
    restaurant_id: Id | None = None


class DriverChange(Body):
    """Changes to a driver; omitted fields stay unchanged. A ``restaurant_id`` of null means all stores."""

    model_config = example({"phone": "+351913456789"})

    name: Name | None = None
    phone: PhoneText | None = None
    restaurant_id: Id | None = None
    is_active: bool | None = None


class DriverQuery(BaseModel):
    """Filters for drivers.

    With ``restaurant_id``, only those who work for that store; with ``is_working`` true, only those who are on shift
    or have deliveries in progress.
    """

    restaurant_id: Id | None = None
    is_working: bool = False


class DriverOut(BaseModel):
    """A driver. ``active_deliveries`` is the number of deliveries in progress.

    ``location`` is null unless the driver is on shift or has deliveries in progress.
    """

    id: int
    name: str
    phone: str
    restaurant_id: NullableStoreId
    is_active: bool
    is_on_shift: bool
    active_deliveries: int
    last_seen_at: datetime | None
    location: DriverLocation | None


class DriverWithToken(DriverOut):
    """A driver and their raw token, which is returned only once."""

    token: str
