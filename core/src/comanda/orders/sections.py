"""What plugins add to the records of orders: keys of their own, read for many orders at once."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from pydantic import BaseModel

from comanda import runtime
from comanda.contracts.sections import Record
from comanda.orders.records import Row
from comanda.orders.schemas import LineOut, OrderOut, Tracking

# What core says in each of them.
RECORDS: Final[Mapping[Record, type[BaseModel]]] = {
    Record.ORDER: OrderOut,
    Record.LINE: LineOut,
    Record.TRACKING: Tracking,
}


async def fill_order(owner_id: int, row: Row, record: dict[str, Any]) -> dict[str, Any]:
    """Add the sections to a whole order and its lines."""
    set_defaults(record)
    record.update((await _loaded(Record.ORDER, owner_id, row)).get(record["id"], {}))
    of_lines = await _loaded(Record.LINE, owner_id, row)
    for line in record["items"]:
        line.update(of_lines.get(line["id"], {}))
    return record


async def fill_tracking(owner_id: int, row: Row, record: dict[str, Any]) -> dict[str, Any]:
    """Add the sections to what the public sees of an order."""
    record.update((await _loaded(Record.TRACKING, owner_id, row)).get(record["id"], {}))
    return record


def set_defaults(record: dict[str, Any]) -> dict[str, Any]:
    """Add what the sections say of an order that was just placed: the defaults."""
    for section in runtime.registry().sections:
        targets = {Record.ORDER: [record], Record.LINE: record["items"]}.get(section.record, ())
        for target in targets:
            target.update(_defaults(section.fields))
    return record


@cache
def _defaults(fields: type[BaseModel]) -> dict[str, Any]:
    return fields().model_dump(mode="json")


async def _loaded(kind: Record, owner_id: int, row: Row) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for section in runtime.registry().sections:
        if section.record is kind and (section.wants is None or section.wants(row)):
            for id, values in (await section.load(owner_id, [row["id"]])).items():
                found.setdefault(id, {}).update(values)
    return found
