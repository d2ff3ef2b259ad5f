"""A store that tests use through the API, as its owner would."""

from dataclasses import dataclass, field
from typing import Any

from comanda.devkit.testing.callers import TestOwner
from comanda.devkit.testing.client import CheckedClient


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer with its body."""

    status: int
    document: Any
    headers: dict[str, str] = field(repr=False)

    def __getitem__(self, key: Any) -> Any:
        """Return a value of the document."""
        return self.document[key]

    @property
    def errors(self) -> dict[str, list[str]]:
        """The error messages of a rejected request, by field."""
        assert self.status == 422, self
        found: dict[str, list[str]] = self.document["errors"]
        return found


class TestStore:
    """A store of an owner; paths are relative to it."""

    __test__ = False

    def __init__(self, client: CheckedClient, owner: TestOwner, id: int) -> None:
        self.client = client
        self.owner = owner
        self.id = id

    async def send(self, method: str, path: str, body: Any = None, **headers: str) -> Reply:
        """Send a request to a path of the store; header names may use underscores."""
        return await self.send_to(f"/api/v1/restaurants/{self.id}{path}", method, body, **headers)

    async def send_to(self, path: str, method: str = "GET", body: Any = None, **headers: str) -> Reply:
        """Send a request to any path."""
        spelled = {name.replace("_", "-"): value for name, value in headers.items()}
        options = {} if body is None else {"json": body}
        response = await self.client.open(path, method=method, headers={**self.owner.auth, **spelled}, **options)
        is_json = response.content_type == "application/json" and await response.get_data()
        return Reply(response.status_code, await response.get_json() if is_json else None, dict(response.headers))

    async def get(self, path: str = "") -> Reply:
        """Return the answer to a GET request that must succeed."""
        reply = await self.send("GET", path)
        assert reply.status == 200, reply
        return reply

    async def public_menu(self) -> list[dict[str, Any]]:
        """Return the public menu."""
        response = await self.client.get(f"/api/v1/menu/{self.id}")
        assert response.status_code == 200, await response.get_json()
        menu: list[dict[str, Any]] = await response.get_json()
        return menu

    async def public_items(self) -> list[str]:
        """Return the names of the items in the public menu."""
        return [item["name"] for category in await self.public_menu() for item in category["items"]]

    async def category(self, name: str = "Dishes", **fields: Any) -> int:
        """Add a category and return its id."""
        reply = await self.send("POST", "/menu/categories", {"name": name, **fields})
        assert reply.status == 201, reply
        return int(reply["id"])

    async def item(self, name: str = "Soup", price: float = 5, **fields: Any) -> dict[str, Any]:
        """Add an item, in a new category unless one is given, and return its record."""
        category_id = fields.pop("category_id", None) or await self.category(f"For {name}")
        body = {"name": name, "price": price, "category_id": category_id, **fields}
        reply = await self.send("POST", "/menu/items", body)
        assert reply.status == 201, reply
        record: dict[str, Any] = reply.document
        return record

    async def place(self, *lines: dict[str, Any], key: str | None = None, **fields: Any) -> Reply:
        """Place an order, for takeaway unless a type is given, and return the answer with any status."""
        headers = {} if key is None else {"Idempotency_Key": key}
        return await self.send("POST", "/orders", {"type": "takeaway", "items": list(lines), **fields}, **headers)

    async def order(self, *lines: dict[str, Any], **fields: Any) -> dict[str, Any]:
        """Place an order that must be accepted, and return it."""
        reply = await self.place(*lines, **fields)
        assert reply.status == 201, reply
        record: dict[str, Any] = reply.document
        return record

    async def set_status(self, order_id: int, status: str, **fields: Any) -> Reply:
        """Set the kitchen status of an order and return the answer with any status."""
        return await self.send("PUT", f"/orders/{order_id}/status", {"status": status, **fields})


def line(item: dict[str, Any], quantity: int = 1, **fields: Any) -> dict[str, Any]:
    """Return an order line for an item."""
    return {"item_id": item["id"], "quantity": quantity, **fields}
