"""Place an order in every store of an owner, in each of the store's fulfillment modes.

    python order_everywhere.py http://127.0.0.1:8000 own_…

It needs only Python and knows no store type: a store's modes are in its ``vertical``, its items in
its menu, and the fields of the order are the same for all of them.
"""

import json
import sys
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

# Fields that some mode requires; the others ignore them.
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
        request = Request(self._base + path, method=method, data=data, headers=headers)
        try:
            with urlopen(request, timeout=30) as response:
                return response.status, json.load(response)
        except HTTPError as error:
            with error:
                return error.code, json.load(error)

    def list_stores(self) -> list[dict[str, Any]]:
        """List all stores."""
        found: list[dict[str, Any]] = []
        number, last = 1, 1
        while number <= last:
            _, page = self.call("GET", f"/restaurants?page={number}")
            found += page["data"]
            number, last = number + 1, page["last_page"]
        return found


def to_line(item: dict[str, Any]) -> dict[str, Any]:
    """Return an order line for an item, with its first variation and the required number of extras."""
    chosen: dict[str, Any] = {"item_id": item["id"], "quantity": 1}
    variations = [variation["id"] for variation in item["variations"] if not variation["is_sold_out"]]
    if variations:
        chosen["variation"] = variations[0]
    chosen["extras"] = [extra["id"] for group in item["extra_groups"] for extra in group["extras"][: group["min"]]]
    return chosen


def find_room(api: Api, store: dict[str, Any]) -> dict[str, Any]:
    """Return a room in which somebody stays, as room service requires, and that guest's name; nothing for no hotel."""
    status, page = api.call("GET", f"/restaurants/{store['id']}/stays?in_house=true")
    stays = page["data"] if status == 200 else []
    return {"room_number": stays[0]["room_number"], "customer_name": stays[0]["guest_name"]} if stays else {}


def order_in_store(api: Api, store: dict[str, Any]) -> list[dict[str, Any]]:
    """Order the first item of a store in each of its modes, and return the results."""
    customer = {**CUSTOMER, **find_room(api, store)}
    _, menu = api.call("GET", f"/menu/{store['id']}")
    items = [item for category in menu for item in category["items"]]
    results = []
    for mode in store["vertical"]["fulfillment_modes"]:
        body = {"type": mode, "items": [to_line(items[0])], **customer}
        status, order = api.call("POST", f"/restaurants/{store['id']}/orders", body)
        answer = {"order": order["id"], "total": order["total"]} if status == 201 else {"refused": order}
        results.append({"store_type": store["store_type"], "mode": mode, "status": status, **answer})
    return results


def main() -> None:
    """Order in all stores, printing a line of JSON per attempt."""
    api = Api(sys.argv[1], sys.argv[2])
    for store in api.list_stores():
        for result in order_in_store(api, store):
            print(json.dumps(result))


if __name__ == "__main__":
    main()
