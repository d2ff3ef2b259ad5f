"""The order participant that reserves a place on the delivery day of a gift."""

from typing import Final

from comanda.contracts import OrderParticipant, unaffected

from comanda_florist.fulfillment_modes import GIFT_DELIVERY
from comanda_florist.schemas.items import DayFields
from comanda_florist.services import delivery_days

DELIVERY_DAYS: Final = OrderParticipant(
    name="florist_days",
    modes=(GIFT_DELIVERY.code,),
    fields=DayFields,
    load=delivery_days.load_terms,
    validate=delivery_days.validate_day,
    reserve=delivery_days.reserve_place,
    placed=delivery_days.announce_gift,
    cancelled=delivery_days.release_place,
    reopened=delivery_days.reclaim_place,
    amended=unaffected,
)
