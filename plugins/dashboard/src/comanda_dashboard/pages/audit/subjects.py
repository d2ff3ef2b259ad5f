"""What the entries of the audit log are about: the numbers of orders, the names of items, the amounts of payments."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from comanda.basics import ComandaError
from comanda.platform import runtime
from comanda.web import format_money
from comanda.web import gettext as _
from comanda.web.dashboard import Visit

from comanda_dashboard.services import record_names

# Each subject, its statement, the name of its id in an entry, and the ends of the actions whose answer has it as `id`.
STATEMENTS: Final = (
    ("order", record_names.SELECT_ORDERS, "order_id", ("_orders",)),
    ("item", record_names.SELECT_ITEMS, "item_id", ("_menu_items",)),
    ("category", record_names.SELECT_CATEGORIES, "category_id", ("_menu_categories",)),
)
# What an order's route lists, by the end of the action that adds one.
LISTS: Final = {"_orders_orderId_payments": "payments", "_orders_orderId_refunds": "refunds"}
MAX_LISTED: Final = 100

Entry = Mapping[str, Any]
Subjects = Mapping[str, str]


async def list_subjects(visit: Visit, entries: Sequence[Entry]) -> list[Subjects]:
    """Return for each entry what is known of what it is about, such as ``order``, ``item`` or ``amount``."""
    found: list[dict[str, str]] = [{} for _each in entries]
    for name, statement, key, own in STATEMENTS:
        ids = [_get_id(entry, key, own) for entry in entries]
        known = await record_names.load_names(visit.caller, statement, ids)
        for subjects, id in zip(found, ids, strict=True):
            if id in known:
                subjects[name] = known[id]
    if visit.may("orders:read"):
        amounts = await _load_amounts(visit, entries)
        for subjects, entry in zip(found, entries, strict=True):
            subjects.update(amounts.get(_to_amount_key(entry), {}))
    return list(found)


def _get_id(entry: Entry, key: str, own: tuple[str, ...]) -> int | None:
    ids = {**entry["before_ids"], **(entry["after_ids"] or {})}
    id: int | None = ids.get(key, ids.get("id") if entry["action"].endswith(own) else None)
    return id


def _to_amount_key(entry: Entry) -> tuple[str, int | None]:
    """Return the kind and the id of the payment or refund that an entry is about."""
    kind = next((kind for end, kind in LISTS.items() if entry["action"].endswith(end)), "")
    return kind, (entry["after_ids"] or {}).get("id")


async def _load_amounts(visit: Visit, entries: Sequence[Entry]) -> dict[tuple[str, int | None], Subjects]:
    """Return the amounts of payments and refunds, and the methods of payments, by kind and id."""
    lists = {
        (kind, entry["restaurant_id"], entry["before_ids"]["order_id"])
        for entry in entries
        if (kind := _to_amount_key(entry)[0]) and entry["restaurant_id"] and "order_id" in entry["before_ids"]
    }
    answers = await asyncio.gather(*(_list_amounts(visit, *each) for each in sorted(lists)))
    return {key: subjects for answer in answers for key, subjects in answer.items()}


async def _list_amounts(
    visit: Visit, kind: str, store_id: int, order_id: int
) -> dict[tuple[str, int | None], Subjects]:
    path = f"/restaurants/{{id}}/orders/{{orderId}}/{kind}"
    try:
        page = await visit.api.get(path, query={"per_page": MAX_LISTED}, id=store_id, orderId=order_id)
    except ComandaError:
        return {}
    return {(kind, each["id"]): _to_subjects(each) for each in page["data"]}


def _to_subjects(record: Mapping[str, Any]) -> Subjects:
    subjects = {"amount": format_money(record["amount"], record["currency"])}
    method = runtime.registry().payment_methods.get(record.get("method", ""))
    return {**subjects, "method_code": method.code, "method": _(method.label)} if method is not None else subjects
