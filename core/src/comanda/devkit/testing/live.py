"""A store on running servers, used from threads with only the standard library."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from comanda.devkit.testing.polling import MAX_WAIT_SECONDS
from comanda.devkit.testing.processes import Installation


@dataclass(frozen=True, slots=True)
class LiveStore:
    """A store with a token of its owner; ``url`` returns the base URL of the server to use."""

    id: int
    token: str
    url: Callable[[], str]

    def send(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Send a request to a path of the store; return the status and the document.

        Status 0 means that there was no answer, because the server died or was not running yet.
        """
        return send_request(method, f"{self.url()}/api/v1/restaurants/{self.id}{path}", self.token, body, **headers)

    def add_item(self, name: str, price: float) -> int:
        """Add an item in a new category and return its id."""
        _, category = self.send("POST", "/menu/categories", {"name": f"For {name}"})
        status, item = self.send("POST", "/menu/items", {"name": name, "price": price, "category_id": category["id"]})
        assert status == 201, item
        item_id: int = item["id"]
        return item_id


def send_request(method: str, url: str, token: str, body: Any = None, **headers: str) -> tuple[int, Any]:
    """Send a request with the token of an owner; return the status, 0 without an answer, and the document."""
    request = Request(
        url,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        },
    )
    try:
        with urlopen(request, timeout=MAX_WAIT_SECONDS) as response:
            return response.status, json.loads(response.read() or b"null")
    except HTTPError as error:
        with error:
            return error.code, _parse_document(error)
    except (OSError, HTTPException):
        return 0, None


def open_store(
    installation: Installation, url: Callable[[], str], title: str = "Live", store_type: str = "restaurant"
) -> LiveStore:
    """Create an owner, a store of a type and a token in one process, because three commands would take seconds."""
    made = json.loads(installation.run_program(OPEN_STORE_SCRIPT, title, store_type))
    return LiveStore(made["id"], made["token"], url)


OPEN_STORE_SCRIPT = """
import json, sys
from comanda.platform import runtime
from comanda.accounts.services import create_owner, issue_owner_token
from comanda.cli.session import call
from comanda.stores.services import create_store

async def work():
    owner = await create_owner(f"{sys.argv[1].lower()}@example.com", sys.argv[1])
    store_id = await create_store(owner.id, sys.argv[1], sys.argv[2])
    token = await issue_owner_token(runtime.registry().caller_kinds["owner"], owner.id, ["*"], name="test")
    return {"id": store_id, "token": token.secret}

print(json.dumps(call(work)))
"""


def _parse_document(error: HTTPError) -> Any:
    try:
        return json.loads(error.read())
    except (ValueError, OSError, HTTPException):
        return None
