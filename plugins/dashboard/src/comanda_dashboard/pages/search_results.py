"""Orders, items and guests of a store by what is typed into the palette."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from comanda.basics import ComandaError
from comanda.web import N_, PRIVATE_HEADERS
from comanda.web import gettext as _
from comanda.web.dashboard import Visit
from quart import jsonify

from comanda_dashboard.pages import dashboard
from comanda_dashboard.pages.orders.order_list import ORDERS, get_first_searched_day

MAX_FOUND: Final = 5
MAX_LENGTH: Final = 100


@dataclass(frozen=True, slots=True)
class SearchedRecords:
    """Records that a route finds, the page of each, and what is read of one."""

    label: str
    icon: str
    route: str
    page: str
    describe: Callable[[Mapping[str, Any]], str]


def _describe_order(order: Mapping[str, Any]) -> str:
    number = _("Order %(number)s", number=f"#{order['number']}")
    return " \N{MIDDLE DOT} ".join(filter(None, (number, order["customer_name"])))


def _describe_guest(guest: Mapping[str, Any]) -> str:
    return guest["name"] or guest["phone"] or guest["email"] or ""


SEARCHED: Final = (
    SearchedRecords(N_("Orders"), "receipt", ORDERS, "orders", _describe_order),
    SearchedRecords(N_("Menu"), "book", "/restaurants/{id}/menu/items", "menu/items", lambda item: str(item["name"])),
    SearchedRecords(N_("Guests"), "person", "/restaurants/{id}/customers", "customers", _describe_guest),
)


@dashboard.get("/stores/<int:store_id>/search", scope=None)
async def find_records(visit: Visit, store_id: int) -> Any:
    """Return the orders, items and guests that a text finds, as JSON for the palette."""
    typed = visit.query("q").get("q", "")[:MAX_LENGTH]
    text = "".join(filter(str.isprintable, typed)).strip().removeprefix("#")
    wanted = [each for each in SEARCHED if text and visit.api.has("GET", each.route)]
    found = await asyncio.gather(*(_find(visit, store_id, each, text) for each in wanted))
    response = jsonify([link for links in found for link in links])
    response.headers.update(PRIVATE_HEADERS)
    return response


async def _find(visit: Visit, store_id: int, searched: SearchedRecords, text: str) -> list[dict[str, str]]:
    query: dict[str, str | int] = {"search": text, "per_page": MAX_FOUND}
    if searched.route == ORDERS:
        query["from"] = get_first_searched_day(visit)
    try:
        page = await visit.api.get(searched.route, query=query, id=store_id)
    except ComandaError:
        return []
    base = f"/dashboard/stores/{store_id}/{searched.page}"
    return [
        {
            "group": _(searched.label),
            "icon": searched.icon,
            "label": searched.describe(record),
            "href": f"{base}/{record['id']}",
        }
        for record in page["data"][:MAX_FOUND]
    ]
