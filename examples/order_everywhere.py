"""Places one order in every store of an owner, whatever its type, in every way that the store offers.

    python order_everywhere.py http://127.0.0.1:8000 own_…

It needs nothing but Python, and it knows no store type: what a store takes stands in its ``vertical``, what it sells in
its menu, and the fields of the order are the same for all of them.
"""

import json
import sys
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

# Everything that some way of getting an order asks for; what the others do not need, they do not read.
CUSTOMER = {
    "customer_name": "Ada Almeida",
    "phone": "+351210000000",
    "address": "Rua das Flores 1, Lisboa",
    "table_number": "1",
    "source": "order-everywhere",
}


class Api:
    """The REST API of one Comanda."""

    def __init__(self, url: str, token: str) -> None:
        self._base = f"{url.rstrip('/')}/api/v1"
        self._token = token

    def call(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Send a request; return the status and the document."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = Request(self._base + path, method=method, data=data, headers=headers)  # noqa: S310
        try:
            with urlopen(request, timeout=30) as response:  # noqa: S310
                return response.status, json.load(response)
        except HTTPError as error:
            with error:
                return error.code, json.load(error)

    def stores(self) -> list[dict[str, Any]]:
        """List every store, page after page."""
        found: list[dict[str, Any]] = []
        number, last = 1, 1
        while number <= last:
            _, page = self.call("GET", f"/restaurants?page={number}")
            found += page["data"]
            number, last = number + 1, page["last_page"]
        return found


def line(item: dict[str, Any]) -> dict[str, Any]:
    """Order one of an item: its first variation if it has any, and as many extras as its groups insist on."""
    chosen: dict[str, Any] = {"item_id": item["id"], "quantity": 1}
    variations = [variation["id"] for variation in item["variations"] if not variation["is_sold_out"]]
    if variations:
        chosen["variation"] = variations[0]
    chosen["extras"] = [extra["id"] for group in item["extra_groups"] for extra in group["extras"][: group["min"]]]
    return chosen


def order_in(api: Api, store: dict[str, Any]) -> list[dict[str, Any]]:
    """Order the first thing on a store's menu in each way that the store offers; tell what came of it."""
    _, menu = api.call("GET", f"/menu/{store['id']}")
    items = [item for category in menu for item in category["items"]]
    told = []
    for mode in store["vertical"]["fulfillment_modes"]:
        body = {"type": mode, "items": [line(items[0])], **CUSTOMER}
        status, order = api.call("POST", f"/restaurants/{store['id']}/orders", body)
        answer = {"order": order["id"], "total": order["total"]} if status == 201 else {"refused": order}
        told.append({"store_type": store["store_type"], "mode": mode, "status": status, **answer})
    return told


def main() -> None:
    """Order everywhere, a line of JSON for each try."""
    api = Api(sys.argv[1], sys.argv[2])
    for store in api.stores():
        for told in order_in(api, store):
            print(json.dumps(told))  # noqa: T201 - a program that tells what it did


if __name__ == "__main__":
    main()
