"""Records of a store's delivery terms."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from comanda.basics import Money
from comanda.contracts import PercentNumber
from pydantic import Field, PlainSerializer

from comanda_drivers.models import DispatchMode, OfferAt, Pod, UnplacedAddress


@dataclass(frozen=True, slots=True)
class BandFee:
    """The fee up to a straight-line distance from the store, in kilometres in answers."""

    up_to_m: Annotated[
        int, PlainSerializer(lambda meters: meters / 1000, return_type=float), Field(serialization_alias="up_to_km")
    ]
    fee: Money


@dataclass(frozen=True, slots=True)
class PostcodeBandFee:
    """The fee of addresses whose postcode begins with one of ``prefixes``."""

    prefixes: Sequence[str]
    fee: Money


@dataclass(frozen=True, slots=True)
class StoreDeliveryTerms:
    """A store's delivery terms, in its currency.

    ``fee`` applies without bands, and to addresses that none can be found for. It is untaxed if ``tax_rate`` is null.
    ``driver_pay`` is the driver's pay for each delivery, in addition to the tip.
    """

    lat: float | None
    lng: float | None
    currency: str
    fee: Money
    bands: Sequence[BandFee]
    postcode_bands: Sequence[PostcodeBandFee]
    unplaced_addresses: UnplacedAddress
    free_over: Money | None
    min_order: Money | None
    tax_rate_ppm: Annotated[PercentNumber | None, Field(serialization_alias="tax_rate")]
    max_active_deliveries: int
    require_shift: bool
    dispatch_mode: DispatchMode
    offer_at: OfferAt
    pod: Pod
    driver_pay: Money
