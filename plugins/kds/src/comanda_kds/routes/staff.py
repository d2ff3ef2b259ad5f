"""The kitchen, as those who work in it see it."""

from functools import partial
from typing import Any

from comanda.contracts.callers import Caller
from comanda.contracts.calls import Answer, Call, Unvalidated
from comanda.contracts.paging import Page, PageRequest
from comanda.contracts.routes import Routes
from comanda.encoding import to_json
from comanda.http.answers import cacheable_answer
from comanda_staff.api import STAFF_ONLY, Permission

from comanda_kds import board, items, members, stream
from comanda_kds.schemas import (
    AllDayOut,
    BoardEvent,
    BoardQuery,
    MovedOut,
    StationOut,
    StationQuery,
    StepBody,
    TicketOut,
    View,
)

routes = Routes("Kitchen", callers=STAFF_ONLY)

KDS = Permission.KDS.value


@routes.get(
    "/staff/kds",
    scope=KDS,
    answers=list[TicketOut] | list[AllDayOut],
    headers=(("If-None-Match", "The ETag of the board that you have: 304 while it is as it was."),),
)
async def show_board(caller: Caller, query: BoardQuery, call: Call) -> Answer:
    """List the tickets of your stations, the one that waits longest first, with the lines that are not served.

    An order for later comes a while before its time. With ``view=all_day`` the answer counts what is to be made of each
    item instead. The ETag leaves ages out of account.
    """
    found = await board.tickets(await members.post_at(caller, query))
    if query.view is View.ALL_DAY:
        found = board.all_day(found)
    answer = cacheable_answer(call, to_json(found), board.etag(found))
    answer.headers["Cache-Control"] = "private, no-cache"
    return answer


@routes.get(
    "/staff/kds/stream",
    scope=KDS,
    answers=BoardEvent,
    content_types=("text/event-stream",),
    headers=(("Last-Event-ID", "The id of the last event that you had, so that it is not sent again."),),
)
async def follow_board(caller: Caller, query: StationQuery, call: Call) -> Answer:
    """Follow the board as server-sent events, each named ``board`` with all tickets and an id.

    The stream ends now and then: connect again with the header ``Last-Event-ID``, and you get the board if it has
    changed. ``age_seconds`` is not in it; count from ``since``, against ``soon_seconds`` and ``late_seconds``.
    """
    post = await members.post_at(caller, query)
    stream.watch.check_room(post.store_id)
    events = stream.watch.stream(post.store_id, partial(stream.snapshot, post), call.headers.get("last-event-id"))
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return Answer(events, headers=headers, content_type="text/event-stream")


@routes.get("/staff/kds/stations", scope=KDS, answers=Page[StationOut])
async def list_own_stations(caller: Caller, page: PageRequest) -> dict[str, Any]:
    """List the stations that you work at, all of the store's if you are assigned to none, 50 per page."""
    return await members.page_of_stations(caller, page)


@routes.put("/staff/kds/items/{itemId}/bump", scope=KDS, answers=MovedOut)
async def bump(caller: Caller, item_id: int, body: Unvalidated[StepBody]) -> dict[str, Any]:
    """Move an item one state forward: queued, preparing, ready, served. Its order's status follows.

    ``itemId`` is the id of the order's line. With ``expected_status`` a second tap answers 409 and moves nothing.
    """
    return await items.bump(caller, item_id, body)


@routes.put("/staff/kds/items/{itemId}/recall", scope=KDS, answers=MovedOut)
async def recall(caller: Caller, item_id: int, body: Unvalidated[StepBody]) -> dict[str, Any]:
    """Move an item one state back, also one that is served. Its order's status follows."""
    return await items.recall(caller, item_id, body)
