"""Records of the kitchen."""

from dataclasses import replace

from comanda.clock import now
from comanda.contracts.order_status import Status
from comanda_kds.models import ItemState
from comanda_kds.records import AllDayCount, KitchenItem, KitchenTicket, Lateness

ITEM = KitchenItem(1, 2, "Pizza", 3, None, [], None, ItemState.QUEUED, None, None, None)


def build_ticket(note, items):
    moment = now()
    return KitchenTicket(
        order_id=1, number=1, type="takeaway", order_status=Status.NEW, table_number=None, room_number=None,
        customer_name=None, note=note, placed_at=moment, promised_at=None, since=moment, age_seconds=0,
        lateness=Lateness.ON_TIME, items=items,
    )  # fmt: skip


def test_ticket_has_notes_of_order_or_lines():
    noted = replace(ITEM, note="No onions")

    assert (ITEM.has_note, noted.has_note) == (False, True)
    assert not build_ticket(None, [ITEM]).has_notes
    assert build_ticket("Ring twice", [ITEM]).has_notes
    assert build_ticket(None, [ITEM, noted]).has_notes


def test_ready_pieces_are_not_in_the_quantity():
    assert AllDayCount(2, "Pizza", None, None, queued=3, preparing=2, ready=4).quantity == 5
