"""The order participant of laundries."""

from typing import Final

from comanda.contracts import OrderParticipant

from comanda_laundry.item_capabilities import GARMENT_CARE
from comanda_laundry.services import order_rows, ready_days

LAUNDRY_PARTICIPANT: Final = OrderParticipant(
    "laundry",
    capability=GARMENT_CARE.code,
    load=ready_days.load_terms,
    price=order_rows.price_by_weight,
    validate=order_rows.check_lines,
    placed=order_rows.create_rows,
    amended=order_rows.amend_rows,
    moved=order_rows.follow_status,
)
