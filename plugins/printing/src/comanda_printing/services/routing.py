"""Events of orders as jobs of printers: each prints once what an event brings, wherever that is made."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

import orjson
from comanda.basics import NotFound, clock
from comanda.contracts import Status, StoredEvent
from comanda.orders import PAY_BY, Order, OrderAmended, OrderCreated, OrderLine, OrderPaid, OrderStatusChanged, queries
from comanda.platform import get_entitlement
from comanda.platform.db import sql
from comanda.stores import Store, find_store, find_vertical

from comanda_printing import settings
from comanda_printing.entitlements import PRINTING
from comanda_printing.models import JobKind
from comanda_printing.records import KnownPrinter
from comanda_printing.services.jobs import NewJob, queue_job
from comanda_printing.services.known_printers import list_known_printers
from comanda_printing.services.layouts.facts import KitchenFacts, SlipLine, parse_lines
from comanda_printing.services.order_facts import build_receipt, build_ticket

EVENTS: Final = (OrderCreated, OrderAmended, OrderStatusChanged, OrderPaid)
# The capability of stores whose kitchen knows which lines it makes, and where; the fields are those of the plugin kds.
KITCHEN: Final = "kds"
SELECT_STORES: Final = """
    SELECT DISTINCT p.owner_id, p.store_id FROM unnest($1::bigint[], $2::bigint[]) AS given (owner_id, store_id)
    JOIN printing_printer p ON p.owner_id = given.owner_id AND p.store_id = given.store_id
"""
# The events of an order are handled one after the other, so that a void finds where its line was printed.
LOCK_ORDER: Final = "SELECT pg_advisory_xact_lock(hashtextextended('printing:' || $2::text, $1::bigint))"
SELECT_PRINTED: Final = """
    SELECT printer_id, facts FROM printing_job
    WHERE owner_id = $1 AND store_id = $2 AND kind = 'kitchen' AND line_ids && $3::bigint[]
        AND (order_id <> $4 OR (facts ->> 'amendment')::int < $5)
"""
# A ticket that no printer has asked for yet need not be printed for an order that is cancelled.
DELETE_UNSENT: Final = """
    DELETE FROM printing_job WHERE owner_id = $1 AND order_id = $2 AND kind = 'kitchen'
        AND attempts = 0 AND leased_until IS NULL AND next_attempt_at IS NOT NULL
"""
SELECT_RECEIVED: Final = """
    SELECT DISTINCT printer_id FROM printing_job WHERE owner_id = $1 AND order_id = $2 AND kind = 'kitchen'
"""


async def queue_jobs(events: Sequence[StoredEvent]) -> None:
    """Queue what the events of orders print; one that is handled again queues nothing twice."""
    oldest = clock.now() - settings.get_settings().give_up_after
    recent = [event for event in events if event.store_id is not None and event.occurred_at >= oldest]
    owners, stores = [event.owner_id for event in recent], [event.store_id for event in recent]
    found = await sql.fetch(SELECT_STORES, owners, stores) if recent else []
    with_printers = {(row["owner_id"], row["store_id"]) for row in found}
    for event in recent:
        if (event.owner_id, event.store_id) in with_printers:
            await _queue_event(event, int(str(event.data["order_id"])), event.store_id or 0)


@sql.transaction()
async def _queue_event(event: StoredEvent, order_id: int, store_id: int) -> None:
    await sql.execute(LOCK_ORDER, event.owner_id, str(order_id))
    if not (await get_entitlement(event.owner_id, PRINTING.code)).is_granted:
        return
    try:
        order = await queries.get_order(event.owner_id, store_id, order_id)
    except NotFound:
        return
    store = await find_store(event.owner_id, store_id)
    printers = await list_known_printers(event.owner_id, store_id)
    if store is not None:
        for job in await _list_jobs(event, order, store, printers):
            await queue_job(replace(job, event_id=event.id))


async def _list_jobs(
    event: StoredEvent, order: Order, store: Store, printers: Sequence[KnownPrinter]
) -> Sequence[NewJob]:
    data = event.data
    if event.name == OrderPaid.name:
        wanted = [printer for printer in printers if _prints(printer, JobKind.RECEIPT, order)]
        receipts = [NewJob(printer, JobKind.RECEIPT, build_receipt(order, store), order.id) for printer in wanted]
        return [*receipts, *await _list_begun(order, store, printers)]
    if event.name == OrderStatusChanged.name:
        if data.get("to") == Status.CANCELLED:
            return await _list_cancellations(order, store, printers)
        return await _list_begun(order, store, printers) if data.get("from") == Status.NEW else []
    if (
        order.awaits_payment
        or order.status is Status.CANCELLED
        or data.get("split_from")
        or data.get("merged_from")
        or data.get("split_into")
    ):
        return []  # what moves between orders is in the kitchen already
    if event.name == OrderCreated.name:
        lines = [line for line in order.lines if line.round == 1]
        return _list_tickets(order, store, _route(order, store, printers, lines), {})
    added = {line["line_id"] for line in _read_lines(data, "added")}
    routed = _route(order, store, printers, [line for line in order.lines if line.id in added])
    voided = await _find_voided(order, int(str(data["amendment"])), _read_lines(data, "voided"))
    known = {printer.id: printer for printer in printers}
    return _list_tickets(order, store, routed, {known[id]: lines for id, lines in voided.items() if id in known})


async def _list_begun(order: Order, store: Store, printers: Sequence[KnownPrinter]) -> list[NewJob]:
    """Return the tickets of an order that is begun now, as it had to be paid first."""
    if PAY_BY not in order.attributes or order.awaits_payment or order.status is Status.CANCELLED:
        return []
    if await sql.fetch(SELECT_RECEIVED, order.owner_id, order.id):
        return []
    return _list_tickets(order, store, _route(order, store, printers, order.lines), {})


def _list_tickets(
    order: Order,
    store: Store,
    added: Mapping[KnownPrinter, Sequence[OrderLine]],
    voided: Mapping[KnownPrinter, Sequence[SlipLine]],
) -> list[NewJob]:
    jobs = []
    for printer in {**added, **voided}:
        ticket = build_ticket(order, store.timezone, added.get(printer, ()))
        facts = replace(ticket, voided=tuple(voided.get(printer, ())))
        line_ids = [line.id for line in facts.added]
        jobs.append(NewJob(printer, JobKind.KITCHEN, facts, order.id, line_ids=line_ids, print_at=_get_print_at(order)))
    return jobs


def _route(
    order: Order, store: Store, printers: Sequence[KnownPrinter], lines: Sequence[OrderLine]
) -> dict[KnownPrinter, list[OrderLine]]:
    """Return the lines that each printer prints for the kitchen, without those that have none."""
    lines = [line for line in lines if not line.is_heading]
    vertical = find_vertical(store.store_type)
    if vertical is not None and KITCHEN in vertical.capabilities:
        lines = [line for line in lines if line.sections.get("kds_status", True) is not None]
    routed = {}
    for printer in printers:
        if _prints(printer, JobKind.KITCHEN, order):
            made = [line for line in lines if _is_made_at(printer, line)]
            if made:
                routed[printer] = made
    return routed


def _is_made_at(printer: KnownPrinter, line: OrderLine) -> bool:
    return not printer.station_ids or line.sections.get("station_id") in printer.station_ids


def _prints(printer: KnownPrinter, kind: JobKind, order: Order) -> bool:
    return kind in printer.prints and (not printer.modes or order.type in printer.modes)


async def _find_voided(order: Order, amendment: int, lines: Sequence[Mapping[str, Any]]) -> dict[int, list[SlipLine]]:
    """Return what was taken off, by the printers on which it was printed before."""
    quantities = {line["line_id"]: line["quantity"] for line in lines}
    if not quantities:
        return {}
    where = (order.owner_id, order.store_id, list(quantities), order.id, amendment)
    found: dict[int, dict[int, SlipLine]] = {}
    for row in await sql.fetch(SELECT_PRINTED, *where):
        for line in parse_lines(orjson.loads(row["facts"])["added"]):
            if line.id in quantities:
                found.setdefault(row["printer_id"], {})[line.id] = replace(line, quantity=quantities[line.id])
    return {printer_id: list(lines.values()) for printer_id, lines in found.items()}


async def _list_cancellations(order: Order, store: Store, printers: Sequence[KnownPrinter]) -> list[NewJob]:
    await sql.execute(DELETE_UNSENT, order.owner_id, order.id)
    received = {row["printer_id"] for row in await sql.fetch(SELECT_RECEIVED, order.owner_id, order.id)}
    facts: KitchenFacts = replace(build_ticket(order, store.timezone, ()), is_cancelled=True)
    return [NewJob(printer, JobKind.KITCHEN, facts, order.id) for printer in printers if printer.id in received]


def _read_lines(data: Mapping[str, object], key: str) -> Sequence[Mapping[str, Any]]:
    lines: Any = data.get(key)
    return lines or ()


def _get_print_at(order: Order) -> datetime | None:
    lead = timedelta(minutes=settings.get_settings().lead_minutes)
    return None if order.scheduled_for is None else order.scheduled_for - lead
