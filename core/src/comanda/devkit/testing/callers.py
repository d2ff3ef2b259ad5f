"""Owners of tests, with their tokens and stores."""

from dataclasses import dataclass
from itertools import count
from typing import Any

from comanda.accounts import services as accounts
from comanda.contracts.requests.callers import Caller
from comanda.platform import runtime
from comanda.stores import services as stores

_numbers = count(1)


@dataclass(frozen=True, slots=True)
class TestOwner:
    """An owner used by one test only, with a token for all scopes."""

    __test__ = False

    id: int
    email: str
    token: str
    token_id: int

    @property
    def auth(self) -> dict[str, str]:
        """The headers of requests by the owner."""
        return {"Authorization": f"Bearer {self.token}"}

    @property
    def caller(self) -> Caller:
        """The owner as a caller of services."""
        return Caller("owner", self.token_id, self.id, None, None, frozenset({"*"}), None)

    async def token_with(self, *scopes: str) -> dict[str, str]:
        """Create another token and return its headers."""
        kind = runtime.registry().caller_kinds["owner"]
        issued = await accounts.issue_owner_token(kind, self.id, scopes, name="test")
        return {"Authorization": f"Bearer {issued.secret}"}

    async def store(self, store_type: str = "restaurant", **options: Any) -> int:
        """Create a store and return its id."""
        number = next(_numbers)
        return await stores.create_store(
            self.id, options.pop("title", f"Store {number}"), store_type, slug=f"store-{self.id}-{number}", **options
        )


async def create_test_owner() -> TestOwner:
    """Create an owner with a token."""
    email = f"owner-{next(_numbers)}-{id(object())}@example.com"
    owner = await accounts.create_owner(email, "Test Owner")
    kind = runtime.registry().caller_kinds["owner"]
    issued = await accounts.issue_owner_token(kind, owner.id, ["*"], name="test")
    return TestOwner(owner.id, email, issued.secret, issued.id)
