"""What customers do on the days of a year."""

from collections.abc import Iterator
from typing import Any

from subscription_year.world import (
    DAYS,
    PLAN_OF_TEN,
    PLANS,
    STEP_DAYS,
    Api,
    Document,
    World,
    is_paying_by_hand,
    list_all,
)


async def run_year(api: Api, world: World, days: int = DAYS) -> None:
    """Create the plans and live through the days, a few at a time."""
    for plan in PLANS:
        await _post(api, world, "/plans", plan)
    for day in range(0, days, STEP_DAYS):
        await _act(api, world, day)
        await api.advance(min(STEP_DAYS, days - day))
        await api.settle(world)


async def _act(api: Api, world: World, day: int) -> None:
    """Do what people do on a day."""
    for number, customer in enumerate(world.customers):
        # Customers arrive during the first month.
        if day == (number % 3) * STEP_DAYS:
            body = {"customer_id": customer.id, "plan_code": PLAN_OF_TEN[number % 10]}
            world.subscriptions[number] = (await _post(api, world, "/subscriptions", body))["id"]
        for act, body in _choose_acts(number, day):
            await _post(api, world, f"/subscriptions/{world.subscriptions[number]}/{act}", body, refusable=True)
    if day == 180:
        await api.fill_wallets([customer for number, customer in enumerate(world.customers) if number % 14 == 3])
    if day and day % 20 == 0:
        await _pay_by_hand(api, world)


def _choose_acts(number: int, day: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what a customer does with its subscription on a day; some of it is refused, as in life."""
    if number % 25 == 1 and day in (40, 210):
        yield "pause", {}
    if number % 25 == 1 and day in (70, 230):
        yield "resume", {}
    if number % 25 == 2 and day == 90:
        yield "cancel", {"now": False}
    if number % 50 == 2 and day == 100:
        yield "resume", {}
    if number % 50 == 6 and day == 150:
        yield "cancel", {"now": True}
    if number % 10 == 0 and day == 120:
        yield "change-plan", {"plan_code": "pro"}
    if number % 20 == 0 and day == 200:
        yield "change-plan", {"plan_code": "basic"}
    if number % 40 == 8 and day == 160:
        yield "change-plan", {"plan_code": "annual"}


async def _pay_by_hand(api: Api, world: World) -> None:
    """Record payments of all open invoices of customers who pay by hand, but for one who never does."""
    never = world.customers[19].id if len(world.customers) > 19 else 0
    by_hand = {customer.id for number, customer in enumerate(world.customers) if is_paying_by_hand(number)}
    for invoice in await list_all(api, world.reseller, "/reseller/customer-invoices?status=open"):
        if invoice["customer_id"] in by_hand - {never}:
            await _post(api, world, f"/customer-invoices/{invoice['id']}/mark-paid", {}, refusable=True)


async def _post(api: Api, world: World, path: str, body: Document, *, refusable: bool = False) -> Document:
    status, document = await api.call(world.reseller, "POST", f"/reseller{path}", body)
    # A repeated request after a crash may find its work done.
    if status >= 400 and not refusable:
        raise RuntimeError(f"POST {path}: {status} {document}")
    return document
