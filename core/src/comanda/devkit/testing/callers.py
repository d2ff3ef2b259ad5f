"""Owners, stores and menus that tests start from."""

from dataclasses import dataclass
from itertools import count
from typing import Any

from comanda import runtime
from comanda.accounts import services as accounts
from comanda.contracts.callers import Caller
from comanda.stores import services as stores

_numbers = count(1)


@dataclass(frozen=True, slots=True)
class TestOwner:
    """An owner of this test alone, with a token that may do everything."""

    __test__ = False

    id: int
    email: str
    token: str
    token_id: int

    @property
    def auth(self) -> dict[str, str]:
        """The header that the owner's requests carry."""
        return {"Authorization": f"Bearer {self.token}"}

    @property
    def caller(self) -> Caller:
        """The caller that services take."""
        return Caller("owner", self.token_id, self.id, None, None, frozenset({"*"}), None)

    async def token_with(self, *scopes: str) -> dict[str, str]:
        """Make another token and return its header."""
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
    """Make an owner."""
    email = f"owner-{next(_numbers)}-{id(object())}@example.com"
    owner = await accounts.create_owner(email, "Test Owner")
    kind = runtime.registry().caller_kinds["owner"]
    issued = await accounts.issue_owner_token(kind, owner.id, ["*"], name="test")
    return TestOwner(owner.id, email, issued.secret, issued.id)
