"""The kitchen board, for staff."""

from collections.abc import Sequence

from comanda.basics import to_json
from comanda.contracts import (
    Answer,
    Call,
    Caller,
    IdempotencyKey,
    PageRequest,
    RecordPage,
    Routes,
    Unvalidated,
    key_header,
    to_wire,
)
from comanda.platform.http import cacheable_answer
from comanda_staff.api import STAFF_ONLY, Permission

from comanda_kds.records import AllDayCount, KitchenTicket, MovedItem, Station
from comanda_kds.schemas import BoardEvent, BoardQuery, StationQuery, StepBody, View
from comanda_kds.services import board, board_stream, station_assignments, ticket_items

routes = Routes("Kitchen", callers=STAFF_ONLY)

KDS = Permission.KDS.value


@routes.get(
    "/staff/kds",
    scope=KDS,
    answers=list[KitchenTicket] | list[AllDayCount],
    headers=(("If-None-Match", "The ETag of the last answer; 304 if the board has not changed."),),
)
async def get_board(caller: Caller, query: BoardQuery, call: Call) -> Answer:
    """List the tickets of your stations, oldest first, with the lines that are not served yet.

    A scheduled order appears some minutes before its time. With ``view=all_day`` the answer counts the quantities of
    each item instead. The ETag does not depend on ages.
    """
    tickets = (await board.load_board(await station_assignments.get_assignment_at(caller, query))).tickets
    entries: Sequence[KitchenTicket | AllDayCount] = tickets
    answers: object = list[KitchenTicket]
    if query.view is View.ALL_DAY:
        entries, answers = board.count_all_day(tickets), list[AllDayCount]
    answer = cacheable_answer(call, to_json(to_wire(answers, entries)), board.calculate_etag(entries))
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


@routes.get(
    "/staff/kds/stream",
    scope=KDS,
    answers=BoardEvent,
    content_types=("text/event-stream",),
    headers=(("Last-Event-ID", "The id of the last event received, so that it is not sent again."),),
)
async def stream_board(caller: Caller, query: StationQuery, call: Call) -> Answer:
    """Stream the board as server-sent events named ``board``, each with an id and all tickets.

    The stream ends from time to time: reconnect with the header ``Last-Event-ID`` to receive the board if it has
    changed. Tickets have no ``age_seconds``; compare ``since`` with ``soon_seconds`` and ``late_seconds``.
    """
    assignment = await station_assignments.get_assignment_at(caller, query)
    events = board_stream.stream_board(assignment, call.headers.get("last-event-id"))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Answer(events, headers=headers, content_type="text/event-stream")


@routes.get("/staff/kds/stations", scope=KDS)
async def list_assigned_stations(caller: Caller, page: PageRequest) -> RecordPage[Station]:
    """List your stations, 50 per page; all of the store's stations if you are assigned to none."""
    return await station_assignments.list_assigned_stations(caller, page)


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
