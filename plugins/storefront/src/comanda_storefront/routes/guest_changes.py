"""Routes for guests of an order: cancelling it with its track token, and ordering more at its table."""

from typing import Annotated, Any

from comanda.contracts import PUBLIC, Body, Call, LineBody, Routes, example, key_header
from comanda.orders import Tracking, get_guest_order, to_tracking_json
from comanda.platform.http import answer_once
from pydantic import Field

from comanda_storefront.services import guest_changes
from comanda_storefront.services.channels import ORDER_LIMITS

routes = Routes("Public", callers=PUBLIC)

# Guests at the tables of a store often share one IP address.
CHANGES_PER_MINUTE = 60


class RoundBody(Body):
    """The lines of a round to add."""

    model_config = example({"items": [{"item_id": 1, "quantity": 2}]})

    items: Annotated[list[LineBody], Field(min_length=1, max_length=ORDER_LIMITS.lines)]


@routes.post("/track/{token}/cancel", status=200, cors=True, answers=Tracking)
async def cancel_order(call: Call, token: str) -> dict[str, Any]:
    """Cancel an order within the time that its store sets, with a refund of what was paid. A repeat changes nothing."""
    await call.count(f"guest-change:{call.client_network}", CHANGES_PER_MINUTE)
    return to_tracking_json(await guest_changes.cancel_order(token))


@routes.post("/track/{token}/lines", cors=True, answers=Tracking, headers=(key_header("answer"),))
async def add_round(call: Call, token: str, body: RoundBody) -> Any:
    """Add a round to the order of a table, if its store allows it."""
    await call.count(f"guest-change:{call.client_network}", CHANGES_PER_MINUTE)
    call.caller = guest_changes.create_caller(await get_guest_order(token))

    async def add() -> dict[str, Any]:
        return to_tracking_json(await guest_changes.add_round(token, body.items))

    return await answer_once(call, "guest_add_round", add, 201)
