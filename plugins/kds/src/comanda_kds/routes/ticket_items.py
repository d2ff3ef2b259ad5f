"""Bump and recall of ticket items."""

from comanda.contracts import Answer, Call, Caller, IdempotencyKey, Routes, Unvalidated, key_header
from comanda_staff.api import STAFF_ONLY, Permission

from comanda_kds.records import MovedItem
from comanda_kds.schemas import StepBody
from comanda_kds.services import ticket_items

routes = Routes("Kitchen", callers=STAFF_ONLY)

KDS = Permission.KDS.value


@routes.put("/staff/kds/items/{itemId}/bump", scope=KDS, answers=MovedItem, headers=(key_header("result"),))
async def bump_item(caller: Caller, item_id: int, call: Call, body: Unvalidated[StepBody]) -> Answer:
    """Advance an item by one state: queued, preparing, ready, served. Its order's status follows.

    ``itemId`` is the id of the order line. With ``expected_status`` a second tap answers 409 and changes nothing; a
    request that is repeated with its idempotency key answers with what the first one did.
    """
    return (await ticket_items.bump_item(caller, item_id, body, IdempotencyKey.of(call))).answer()


@routes.put("/staff/kds/items/{itemId}/recall", scope=KDS, answers=MovedItem, headers=(key_header("result"),))
async def recall_item(caller: Caller, item_id: int, call: Call, body: Unvalidated[StepBody]) -> Answer:
    """Move an item back by one state, even if it is served. Its order's status follows."""
    return (await ticket_items.recall_item(caller, item_id, body, IdempotencyKey.of(call))).answer()
